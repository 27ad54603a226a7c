import PinpostCore
import Testing

@testable import Mail

@Suite("Pictures that lack something")
struct DamageTests {
    /// Up to its pixels, and the pixels themselves.
    private static let jpegHead: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 1, 2, 3, 4, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    private static let jpegPixels = [UInt8](repeating: 0x55, count: 600)
    private static let gifHead: [UInt8] =
        Array("GIF89a".utf8) + [44, 1, 200, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 44, 1, 200, 0, 0, 8, 255]
    private static let pngHead: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0, 0, 0, 0, 200, 8, 2, 0, 0, 0, 1, 2, 3, 4, 0, 0, 1, 0] + Array("IDAT".utf8) + [7, 7]

    static let pictures: [(name: String, bytes: [UInt8], isShownAnyway: Bool)] = [
        ("a JPEG without its end", jpegHead + jpegPixels, true),
        ("the head of a JPEG", Array(jpegHead.prefix(15)), false),
        ("a GIF that ends in its picture", gifHead + [UInt8](repeating: 7, count: 100), false),
        ("a GIF without its trailer", gifHead + [UInt8](repeating: 7, count: 255) + [0], true),
        ("the head of a GIF", Array(gifHead.prefix(18)), false),
        ("a PNG without its end", pngHead, false),
    ]

    private func mail(_ picture: [UInt8], end: String) -> [UInt8] {
        let head = """
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: application/octet-stream; name=a
            Content-Transfer-Encoding: base64


            """
        return Array(head.utf8) + base64(picture) + Array(end.utf8)
    }

    @Test("a picture that lacks its end is taken where the mail is whole and viewers show it", arguments: pictures)
    func whole(_ name: String, _ picture: [UInt8], _ isShownAnyway: Bool) throws {
        let content = try read(mail(picture, end: "\n--b--\n"))
        #expect(content.images.count == (isShownAnyway ? 1 : 0))
        #expect(content.skipped.map(\.reason) == (isShownAnyway ? [] : ["the picture is cut off"]))
    }

    @Test("where the mail itself was cut, it is not", arguments: pictures)
    func cut(_ name: String, _ picture: [UInt8], _: Bool) throws {
        for end in ["", "\n", "\n-"] {
            let content = try read(mail(picture, end: end))
            #expect(content.images.isEmpty)
            #expect(content.skipped.map(\.reason) == ["the picture is cut off"])
        }
    }

    @Test("where its bytes do not tell, a picture is whole as long as no end is missing")
    func unknownStructure() throws {
        let tiff = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0] + [UInt8](repeating: 1, count: 600)
        #expect(try read(mail(tiff, end: "\n--b--\n")).images.count == 1)
        let single = Array("Content-Transfer-Encoding: base64\nContent-Type: a/b\n\n".utf8) + base64(tiff)
        #expect(try read(single).images.count == 1)
        let content = try read(mail(tiff, end: "\n"))
        #expect(content.images.isEmpty)
        #expect(content.skipped.map(\.reason) == ["the picture is cut off"])
    }

    @Test("the beginning of a boundary is no part of the picture before it")
    func cutBoundary() throws {
        let jpeg = Self.jpegHead + Self.jpegPixels + [0xFF, 0xD9]
        let head = "Content-Type: multipart/mixed; boundary=bcdef\n\n--bcdef\nContent-Transfer-Encoding: base64\n"
        let mail = Array((head + "Content-Type: image/jpeg\n\n").utf8) + base64(jpeg)
        for end in ["\n-", "\n--", "\n--bcd", "\n--bcdef", "\n--bcdef-"] {
            #expect(try read(mail + Array(end.utf8)).images.map(\.bytes.count) == [jpeg.count], "\(end)")
        }
    }

    @Test("a whole picture needs no end of the mail")
    func complete() throws {
        let jpeg = Self.jpegHead + Self.jpegPixels + [0xFF, 0xD9]
        #expect(try read(mail(jpeg, end: "")).images.count == 1)
        let single = Array("Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n".utf8)
        #expect(try read(single + base64(jpeg)).images.count == 1)
        #expect(try read(single + base64(jpeg.dropLast(2))).images.isEmpty)
    }

    @Test("a forwarded mail that came whole is no cut one, whatever wraps it", arguments: ["7bit", "base64"])
    func forwarded(encoding: String) throws {
        let picture = base64(Self.jpegHead + Self.jpegPixels)
        let inner = Array("Content-Type: image/jpeg\nContent-Transfer-Encoding: base64\n\n".utf8) + picture
        let head = """
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: message/rfc822
            Content-Transfer-Encoding: \(encoding)


            """
        let body = encoding == "base64" ? base64(inner) : inner
        #expect(try read(Array(head.utf8) + body + Array("\n--b--\n".utf8)).images.count == 1)
        #expect(try read(Array(head.utf8) + body).images.isEmpty)
    }

    @Test(
        "a uuencoded picture with a line that makes no sense is damaged, however complete it looks",
        arguments: ["Content-Type: image/jpeg\nContent-Transfer-Encoding: x-uue", "Content-Type: text/plain"])
    func uuencoded(header: String) throws {
        let jpeg = Self.jpegHead + Self.jpegPixels + [0xFF, 0xD9]
        var lines = Self.uuLines(jpeg)
        let head = "\(header)\n\nbegin 644 a.jpg\n"
        #expect(try read(head + lines.joined(separator: "\n") + "\n`\nend\n").images.map(\.bytes.count) == [jpeg.count])
        lines[3] = String(lines[3].dropLast()) + "\u{A5}"
        let content = try read(head + lines.joined(separator: "\n") + "\n`\nend\n")
        #expect(content.images.isEmpty)
        #expect(content.skipped.map(\.reason) == ["the picture was damaged on its way"])
    }

    @Test(
        "one without the line `end` is cut off, however whole the mail is",
        arguments: ["Content-Type: image/jpeg\nContent-Transfer-Encoding: x-uue", "Content-Type: text/plain"])
    func unended(header: String) throws {
        let head = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\(header)\n\nbegin 644 a.jpg\n"
        let lines = Self.uuLines(Self.jpegHead + Self.jpegPixels)
        let content = try read(head + lines.joined(separator: "\n") + "\n--b--\n")
        #expect(content.images.isEmpty)
        #expect(content.skipped.map(\.reason) == ["the picture is cut off"])
        let complete = Self.uuLines(Self.jpegHead + Self.jpegPixels + [0xFF, 0xD9])
        #expect(try read(head + complete.joined(separator: "\n") + "\n--b--\n").images.count == 1)
    }

    private static func uuLines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 45).map { uuencoded(bytes[$0..<min($0 + 45, bytes.count)]) }
    }

    private static func uuencoded(_ bytes: ArraySlice<UInt8>) -> String {
        var line = [UInt8(bytes.count) + 32]
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.endIndex)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            line += [18, 12, 6, 0].map { UInt8(bits >> $0 & 63) }.map { $0 == 0 ? 96 : $0 + 32 }
        }
        return String(decoding: line, as: UTF8.self)
    }
}
