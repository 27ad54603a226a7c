import PinpostCore
import Testing

@testable import Hooks

@Suite("Reading JSON")
struct JSONReaderTests {
    private func value(of text: String) throws -> String {
        let source = ByteSource(PieceReader(Array(text.utf8)), limit: .max)
        let reader = try JSONReader(source, budget: TextBudget(HookLimits()), deepest: 4)
        let value = try reader.kind() == .string ? reader.string() : reader.literal()
        try reader.finish()
        return value
    }

    @Test(
        "decodes strings",
        arguments: [
            (#""a\"\\\/\b\f\n\r\tb""#, "a\"\\/\u{8}\u{C}\n\r\tb"), (#""\u00e4\u20AC""#, "ä€"),
            (#""\ud83d\ude00""#, "😀"), (#""\ud800""#, "\u{FFFD}"), (#""\udc00x""#, "\u{FFFD}x"),
            (#""\ud800\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"), ("\"ä€😀\"", "ä€😀"),
            ("12", "12"), ("-1.5e+3", "-1.5e+3"), ("true", "true"),
        ])
    func strings(_ text: String, _ expected: String) throws {
        #expect(try value(of: text) == expected)
    }

    @Test("takes null and empty text as nothing", arguments: ["null", "\"\"", "\" \""])
    func absent(_ text: String) throws {
        let content = try json(#"{"url":"https://a.example/","description":\#(text)}"#)
        #expect(content.wishes.description == nil)
    }

    @Test(
        "refuses what is not JSON, with the position",
        arguments: [
            ("", 0, 1, 1), ("  ", 2, 1, 3), ("{", 1, 1, 2), ("{\"a\" 1}", 5, 1, 6), ("{\"a\":1,}", 7, 1, 8),
            ("{\"a\":[1,]}", 8, 1, 9), ("{a:1}", 1, 1, 2), ("{'a':1}", 1, 1, 2), ("{\"a\":01}", 7, 1, 8),
            ("{\"a\":1.}", 7, 1, 8), ("{\"a\":+1}", 5, 1, 6), ("{\"a\":NaN}", 5, 1, 6), ("{\"a\":tru}", 8, 1, 9),
            ("{\"a\":\"\t\"}", 6, 1, 7), ("{\"a\":\"\\x\"}", 8, 1, 9), ("{\"a\":\"\\u00g0\"}", 11, 1, 12),
            ("{} x", 3, 1, 4), ("{}{}", 2, 1, 3), ("{\n\n  \"a\" }", 9, 3, 7), ("// x\n{}", 0, 1, 1),
            ("\"a\"", 0, 1, 1), ("12", 0, 1, 1), ("{\"url\":\"https://a.example/\\u0000\"}", 32, 1, 33),
        ] as [(String, Int, Int, Int)])
    func positions(_ text: String, _ byte: Int, _ line: Int, _ column: Int) throws {
        let error = #expect(throws: HookError.self) { try json(text) }
        #expect(error?.code == .malformed)
        #expect(error?.position == HookError.Position(byte: byte, line: line, column: column), "\(error as Any)")
    }

    @Test("refuses text that is not UTF-8")
    func invalidUTF8() throws {
        for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82]] {
            let body = Array(#"{"description":""#.utf8) + bytes + Array(#""}"#.utf8)
            let error = #expect(throws: HookError.self) { try read(body, as: "application/json") }
            #expect(error?.code == .malformed)
        }
    }

    @Test("skips a byte order mark, and counts from it")
    func byteOrderMark() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try read(mark + Array(#"{"url":"https://a.example/"}"#.utf8), as: "application/json").items.count == 1)
        let error = #expect(throws: HookError.self) { try read(mark + Array("x".utf8), as: "application/json") }
        #expect(error?.position == HookError.Position(byte: 3, line: 1, column: 1))
    }

    @Test("goes 32 levels deep and no deeper")
    func depth() throws {
        func nested(_ levels: Int) -> String {
            #"{"url":"https://a.example/","x":"# + String(repeating: "[", count: levels)
                + String(repeating: "]", count: levels) + "}"
        }
        #expect(try json(nested(31)).items.count == 1)
        let error = #expect(throws: HookError.self) { try json(nested(32)) }
        #expect(error?.detail.contains("32 levels") == true)
        #expect(throws: HookError.self) { try json(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: HookError.self) { try json(String(repeating: #"{"a":"#, count: 1_000_000)) }
    }

    @Test("reads the same whatever the pieces the bytes come in")
    func pieces() throws {
        let text =
            #"{"items":[{"image":{"base64":"\#(TinyPNG.base64)","filename":"ä.png"},"n":-1.5e3},"#
            + #"{"url":"https://a.example/\u00e4","tags":["\ud83d\ude00"],"private":false}]}"#
        let whole = try json(text)
        for size in 1...40 {
            #expect(try read(Array(text.utf8), as: "application/json", pieces: size) == whole, "pieces of \(size)")
        }
    }

    @Test("ends every prefix of a payload with an error or a result, never otherwise")
    func prefixes() throws {
        let text = Array(
            #"{"items":[{"image":"\#(TinyPNG.base64)"},{"url":"https://a.example/\u00e4"}],"a":[true,null,1e9]}"#.utf8)
        for end in 0..<text.count {
            let error = #expect(throws: HookError.self) { try read(Array(text[..<end]), as: "application/json") }
            #expect(error?.code == .malformed)
        }
    }
}
