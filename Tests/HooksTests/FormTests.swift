import PinpostCore
import Testing

@testable import Hooks

@Suite("A form")
struct FormTests {
    private func form(_ text: String, limits: HookLimits = HookLimits()) throws(HookError) -> MessageContent {
        try read(Array(text.utf8), as: "application/x-www-form-urlencoded", limits: limits)
    }

    @Test("has the same fields as JSON, and repeats them for lists")
    func fields() throws {
        let content = try form(
            "url=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y&url=https://b.example/&description=A+boat+%C3%A4&tags=a%2Cb&tags[]=c"
                + "&private=on&board=Trips&other=%zz&=&")
        #expect(content.summary == ["link https://a.example/?x=1&y", "link https://b.example/"])
        #expect(content.wishes.description == "A boat ä")
        #expect(content.wishes.tags == ["a", "b", "c"])
        #expect(content.wishes.isPrivate == true)
        #expect(content.wishes.board == "Trips")
    }

    @Test("may carry base64, also with plus signs that nobody escaped")
    func base64() throws {
        let png = TinyPNG.base64
        #expect(try form("image=\(png)&filename=a.png").summary == ["picture a.png image/png 73"])
        let wrapped = png.map { $0 == "=" ? "%3D" : String($0) }.joined() + "%0D%0A"
        #expect(try form("image=\(wrapped)").pictures.first?.bytes.inlineBytes == TinyPNG.bytes)
    }

    @Test("that is JSON in truth is read as JSON")
    func jsonInDisguise() throws {
        #expect(try form(#" {"url":"https://a.example/"}"#).summary == ["link https://a.example/"])
    }

    @Test("keeps percent signs that begin no escape")
    func looseEscapes() throws {
        #expect(try form("url=https://a.example/&description=100%").wishes.description == "100%")
        #expect(try form("url=https://a.example/&description=5%+%4").wishes.description == "5% %4")
    }

    @Test("has limits for text and fields")
    func limits() throws {
        var limits = HookLimits()
        limits.text = 20
        limits.entries = 3
        for text in ["description=\(String(repeating: "a", count: 21))", "a&b&c&d", String(repeating: "n", count: 21)] {
            let error = #expect(throws: HookError.self) { try form(text, limits: limits) }
            #expect(error?.code == .tooLarge)
        }
    }
}

@Suite("A multipart form")
struct MultipartTests {
    private static let type = "multipart/form-data; boundary=\"b\""

    private func part(_ disposition: String, type: String? = nil, _ body: [UInt8]) -> [UInt8] {
        let typeLine = type.map { "Content-Type: \($0)\r\n" } ?? ""
        return Array("--b\r\nContent-Disposition: form-data; \(disposition)\r\n\(typeLine)\r\n".utf8) + body
            + Array("\r\n".utf8)
    }

    private func multipart(_ parts: [UInt8]..., pieces: Int = .max) throws(HookError) -> MessageContent {
        try read(parts.flatMap { $0 } + Array("--b--\r\n".utf8), as: Self.type, pieces: pieces)
    }

    @Test("pins each file, by its bytes and under its cleaned name")
    func files() throws {
        let content = try multipart(
            part("name=\"description\"", Array("Two".utf8)),
            part("name=\"image[]\"; filename=\"IMG 1.HEIC\"", type: "image/heic", TinyPNG.bytes),
            part("name=data; filename*=UTF-8''b%C3%A4r.png; filename=\"x\"", TinyPNG.bytes),
            part("name=\"f\"; filename=\"..\\\\..\\\\a\\\"b%22.png\"", TinyPNG.bytes),
            part("name=\"g\"", type: "image/png", TinyPNG.bytes),
            part("name=\"link\"", Array("https://a.example/".utf8)))
        #expect(
            content.summary == [
                "picture IMG 1.HEIC image/png 73", "picture bär.png image/png 73", "picture a\"b\".png image/png 73",
                "picture - image/png 73",
            ])
        #expect(content.pictures.allSatisfy { $0.bytes.inlineBytes == TinyPNG.bytes })
        #expect(content.wishes.description == "Two")
        #expect(content.items.allSatisfy { $0.wishes.source == "https://a.example/" })
    }

    @Test("skips an empty file with a reason, and says nothing of a file that nobody chose")
    func emptyFiles() throws {
        let content = try multipart(
            part("name=\"a\"; filename=\"empty.png\"", []), part("name=\"b\"; filename=\"\"", []),
            part("name=\"url\"", Array("https://a.example/".utf8)))
        #expect(content.skipped == [SkippedPart(.file, name: "empty.png", bytes: 0, reason: "the file is empty")])
    }

    @Test("takes base64, a data URL or a link as the text of an image field")
    func imageText() throws {
        let content = try multipart(
            part("name=\"image\"", Array(TinyPNG.base64.utf8)),
            part("name=\"image\"", Array("https://a.example/x.png".utf8)))
        #expect(content.summary == ["picture - image/png 73", "image https://a.example/x.png"])
    }

    @Test("keeps what only looks like a boundary in a file")
    func nearBoundaries() throws {
        let tricky = TinyPNG.bytes + Array("\r\n--\r\n--c\r\r\n--a\r\n\r\n-".utf8)
        for pieces in [1, 2, 3, 5, 64, .max] {
            let content = try multipart(part("name=\"a\"; filename=\"a.png\"", tricky), pieces: pieces)
            #expect(content.pictures.first?.bytes.inlineBytes == tricky, "pieces of \(pieces)")
        }
    }

    @Test("may have a preamble and an epilogue")
    func preamble() throws {
        let body =
            Array("ignore\r\nme\r\n".utf8) + part("name=\"url\"", Array("https://a.example/".utf8))
            + Array("--b-- \r\nand me".utf8)
        #expect(try read(body, as: Self.type).summary == ["link https://a.example/"])
    }

    @Test(
        "that is cut or not ended is refused",
        arguments: [
            "", "x", "--b", "--b\r\n", "--b\r\nContent-Disposition: form-data; name=url\r\n\r\nhttps://a.example/",
            "--b\r\nContent-Disposition: form-data; name=url\r\n\r\nhttps://a.example/\r\n--b",
            "--bx\r\n\r\n\r\n--b--",
        ])
    func cut(_ text: String) throws {
        let error = #expect(throws: HookError.self) { try read(Array(text.utf8), as: Self.type) }
        #expect(error?.code == .malformed)
        #expect(error?.position != nil)
    }

    @Test("without a boundary, or with too many parts or too long heads, is refused")
    func limits() throws {
        #expect(throws: HookError.self) { try read([], as: "multipart/form-data") }
        #expect(throws: HookError.self) { try read([], as: "multipart/form-data; boundary=") }
        let many = (0..<1_001).flatMap { _ in part("name=\"x\"", []) } + Array("--b--".utf8)
        #expect(#expect(throws: HookError.self) { try read(many, as: Self.type) }?.code == .tooLarge)
        let long = part("name=\"\(String(repeating: "x", count: 9_000))\"", [])
        #expect(#expect(throws: HookError.self) { try multipart(long) }?.code == .malformed)
    }
}
