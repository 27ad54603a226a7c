import FoundationEssentials
import Links
import PinpostCore
import PinpostTesting
import Testing

@Suite("Hostile sites", .timeLimit(.minutes(10)))
struct HostileSiteTests {
    private static let head = "<html><head><title>Long</title><meta property='og:image' content='/p.png'></head>"

    @Test("an endless page is read for a mebibyte, and its picture is still found")
    func endless() async throws {
        let site = try Site { request in
            if request.target == "/p.png" { return Site.png() }
            let page = Array(Self.head.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)
            return LoopbackServer.Reply(200, body: page)
        }
        #expect(try await site.picture(of: "/long").imageSize != nil)
    }

    @Test("a page that is a giant when unpacked ends at the same mebibyte")
    func bomb() async throws {
        let site = try Site { request in
            request.target == "/p.png"
                ? Site.png() : .init(200, [("Content-Encoding", "gzip")], body: Self.gzip(Self.head, blanks: 40))
        }
        #expect(try await site.picture(of: "/bomb").imageSize != nil)
    }

    @Test("a length that promises more than 25 MiB is a card at once")
    func announced() async throws {
        let site = try Site { _ in
            .init(
                bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 3000000000\r\n\r\n<html>".utf8), then: .hang)
        }
        #expect(try await site.picture(of: "/film").card != nil)
    }

    @Test("answers that are no HTTP, break off or lie about their length are failures")
    func broken() async throws {
        let site = try Site { request in
            switch request.target {
            case "/nine": .init(bytes: Array("<html><title>HTTP/0.9</title>".utf8), then: .close)
            case "/short":
                .init(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n<html>".utf8), then: .close)
            case "/head": .init(bytes: Array("HTTP/1.1 200 OK\r\nX-Long".utf8), then: .close)
            default: .init(bytes: [], then: .reset)
            }
        }
        for path in ["/nine", "/short", "/head", "/reset"] {
            let error = await #expect(throws: LinkError.self) { try await site.picture(of: path) }
            #expect(error?.code == .failed, "\(path)")
        }
    }

    @Test("a site that drips or says nothing is given up when the time is over")
    func slow() async throws {
        let site = try Site(within: .milliseconds(400)) { request in
            request.target == "/silent"
                ? .init(bytes: [], then: .hang)
                : .init(bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n<".utf8), then: .hang)
        }
        for path in ["/silent", "/drip"] {
            let error = await #expect(throws: LinkError.self) { try await site.picture(of: path) }
            #expect(error?.code == .failed, "\(path)")
        }
    }

    @Test("links that no browser would follow are refused before anything is sent")
    func refused() async throws {
        let site = try Site { _ in Site.png() }
        let long = "http://example.com/" + String(repeating: "a", count: 10_000)
        for link in [
            "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "gopher://127.0.0.1:70/_",
            "http://user:secret@example.com/", "http://example.com%00.evil.test/", long, "http://127.0.0.1:22/",
            "http://2130706433/", "http://１２７.０.０.１/", "http://[::1]/", "http://169.254.169.254/latest/",
        ] {
            for isImage in [false, true] {
                let error = await #expect(throws: LinkError.self) {
                    try await site.links.picture(of: FoundLink(url: link, isImage: isImage))
                }
                #expect(error?.code == .refused, "\(link.prefix(60))")
            }
        }
        #expect(site.server.connections == 0)
    }

    /// A gzip stream of stored text, then of blanks: mebibytes in a few kilobytes.
    private static func gzip(_ text: String, blanks mebibytes: Int) -> [UInt8] {
        // Stored blocks need no compressor (RFC 1951, section 3.2.4); a run of blanks is one symbol and many matches.
        let stored = Array(text.utf8)
        let count = UInt16(stored.count)
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        file += [0, UInt8(count & 0xFF), UInt8(count >> 8), UInt8(~count & 0xFF), UInt8(~count >> 8)] + stored
        var bits = BitWriter()
        bits.append(0b0, 1)
        bits.append(0b01, 2)
        bits.appendReversed(0x30 + 0x20, 8)
        // Length 258 is symbol 285, distance 1 is symbol 0 (fixed codes, section 3.2.6).
        for _ in 0..<(mebibytes * (1 << 20) / 258) {
            bits.appendReversed(0b1100_0101, 8)
            bits.appendReversed(0, 5)
        }
        return file + bits.bytes
    }
}

private struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var used = 8

    mutating func append(_ value: Int, _ count: Int) {
        for bit in 0..<count {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(used)
            used += 1
        }
    }

    mutating func appendReversed(_ code: Int, _ count: Int) {
        for bit in (0..<count).reversed() { append(code >> bit & 1, 1) }
    }
}
