import PinpostCore
import PinpostTesting
import Testing

@testable import Hooks

@Suite("A payload of another kind")
struct BodyKindTests {
    @Test(
        "a picture as the body takes its words from query and header",
        arguments: [
            "image/png", "image/heic", "application/octet-stream", nil,
        ])
    func picture(_ type: String?) throws {
        let fields = ["description": "Raw", "tags": "a,b", "board": "Trips", "filename": "x.heic", "private": "1"]
        let content = try read(TinyPNG.bytes, as: type, fields: fields)
        #expect(content.summary == ["picture x.heic image/png 73"])
        #expect(content.wishes.description == "Raw")
        #expect(content.wishes.tags == ["a", "b"])
        #expect(content.wishes.board == "Trips")
        #expect(content.wishes.isPrivate == true)
    }

    @Test("plain text pins its links", arguments: ["text/plain", "text/plain; charset=utf-8", nil])
    func text(_ type: String?) throws {
        let content = try read(Array("Look: https://a.example/x.\n<https://b.example/>".utf8), as: type)
        #expect(content.summary == ["link https://a.example/x", "link https://b.example/"])
    }

    @Test("the words beside JSON are defaults for what it does not say")
    func defaults() throws {
        let content = try read(
            Array(#"{"url":"https://a.example/","board":"Mine"}"#.utf8), as: "application/json",
            fields: ["board": "Theirs", "tags": "x"])
        #expect(content.wishes.board == "Mine")
        #expect(content.wishes.tags == ["x"])
    }

    @Test(
        "an unknown type is refused with the list of those that are read",
        arguments: [
            "video/mp4", "application/xml", "text/html", "multipart/mixed; boundary=b", "nonsense",
        ])
    func unknown(_ type: String) throws {
        let error = #expect(throws: HookError.self) { try HookReader().bodyLimit(contentType: type) }
        #expect(error?.code == .unsupportedType)
        #expect(HookReader.acceptedTypes.allSatisfy { error?.detail.contains($0) == true })
    }

    @Test("fields beside a body are known by these names and no others")
    func fieldNames() {
        let fields = Envelope.hookFields(
            query: [("Title", "q"), ("tags", "a"), ("tags", "b"), ("wait", "1"), ("image", "x")],
            headers: [
                ("x-title", "h"), ("X-Board", "B"), ("Attach", "https://a.example/"), ("host", "x"), ("board", "no"),
            ])
        #expect(fields == ["title": "q", "tags": "a", "board": "B", "url": "https://a.example/"])
    }

    @Test(
        "file names lose their paths, controls and length",
        arguments: [
            ("../../etc/cron.d/x.png", "x.png"), ("C:\\a\\b.png", "b.png"), ("a\u{202E}gpj.exe", "agpj.exe"),
            ("a\u{0}b\n.png", "ab.png"), ("..", nil), (".", nil), ("", nil), ("x/", nil), (" a b ", "a b"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 255)),
        ] as [(String, String?)])
    func fileNames(_ name: String, _ expected: String?) {
        #expect(FileName.clean(name) == expected)
    }

    @Test(
        "a text that is built to hurt is read in time that grows with it, not with its square",
        arguments: ["!)]", "http://a.b/ ", "http://a.b/( ", "#", "[x", "a@b "], [true, false])
    func storm(piece: String, asJSON: Bool) throws {
        func body(_ size: Int) -> [UInt8] {
            let text = "http://a.example/ " + String(repeating: piece, count: size / piece.utf8.count)
            return Array((asJSON ? "{\"text\":\"\(text)\"}" : text).utf8)
        }
        #expect(growsLinearly(to: 300_000, body) { _ = try? read($0, as: asJSON ? "application/json" : "text/plain") })
    }
}
