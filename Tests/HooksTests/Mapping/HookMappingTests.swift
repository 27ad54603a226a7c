import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

@Suite("A hook's mapping")
struct HookMappingTests {
    private func content(_ mapping: String, _ body: String, into blobs: KeepingBlobs = KeepingBlobs()) throws
        -> MessageContent
    {
        try HookReader(mapping: HookMapping(json: Array(mapping.utf8))).read(
            body: PieceReader(Array(body.utf8), size: 7), envelope: Envelope(contentType: "application/json"),
            into: blobs, knownBoards: [])
    }

    private func findings(_ mapping: String, _ body: String) throws -> [String] {
        try HookMapping(json: Array(mapping.utf8)).findings(in: Array(body.utf8)).map {
            "\($0.field) \($0.pointer) \($0.value)"
        }
    }

    @Test("takes of each list the first pointer that finds something, and tells which")
    func order() throws {
        let mapping = """
            {"url": ["/none", "/empty", "/text | first_url", "/payload/url"], "tags": ["/labels/*", "/text | hashtags"],
             "description": "/*", "private": "/secret"}
            """
        let body = """
            {"empty": " ", "text": "look https://example.org/a #sun", "payload": {"url": "https://example.org/b"},
             "labels": ["x", 7, null, ["y"]], "secret": true}
            """
        #expect(
            try findings(mapping, body) == [
                "private /secret true", "tags /labels/0 x", "tags /labels/1 7", "url /text https://example.org/a",
            ])
        let content = try content(mapping, body)
        #expect(content.summary == ["link https://example.org/a"])
        #expect(content.wishes.tags == ["x", "7"] && content.wishes.isPrivate == true)
    }

    @Test("makes one item of each link, and of a text field only the first value")
    func several() throws {
        let content = try content(
            "{\"image_url\": \"/photos/*/src\", \"description\": \"/photos/*/alt\", \"board\": \"/album\"}",
            "{\"album\": \"Trips\", \"photos\": [{\"src\": \"https://a.example/1.jpg\", \"alt\": \"one\"}, "
                + "{\"src\": \"https://a.example/2.jpg\", \"alt\": \"two\"}]}")
        #expect(content.summary == ["image https://a.example/1.jpg", "image https://a.example/2.jpg"])
        #expect(content.wishes.description == "one" && content.wishes.board == "Trips")
    }

    @Test("reads a picture in base64, and keeps none when the payload is refused")
    func picture() throws {
        let gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
        let content = try content(
            "{\"image\": [\"/data\"], \"filename\": \"/name\"}", "{\"data\": \"\(gif)\", \"name\": \"../a.gif\"}")
        #expect(content.summary.count == 1 && content.summary[0].hasPrefix("picture a.gif image/gif"))
        for rule in ["/data | base64", "/twice | base64"] {
            let decoded = try self.content(
                "{\"image\": \"\(rule)\"}",
                "{\"data\": \"\(gif)\", \"twice\": \"\(Data(gif.utf8).base64EncodedString())\"}")
            #expect(decoded.summary.count == 1, "\(rule)")
        }
        let blobs = KeepingBlobs()
        let error = #expect(throws: HookError.self) {
            try self.content(
                "{\"image\": \"/data\", \"private\": \"/p\"}", "{\"data\": \"\(gif)\", \"p\": \"maybe\"}", into: blobs)
        }
        #expect(error?.code == .malformed && blobs.count == 0)
    }

    @Test("that finds nothing is nothing usable", arguments: ["{}", "[]", "null", "7", "\"https://example.org/\""])
    func nothing(_ body: String) {
        let error = #expect(throws: HookError.self) { try content("{\"url\": \"/a/*/b\"}", body) }
        #expect(error?.code == .nothingUsable)
    }

    @Test("leaves the way of our own names alone where there is none")
    func without() throws {
        #expect(try json("{\"url\": \"https://example.org/\"}").summary == ["link https://example.org/"])
    }

    @Test(
        "is refused with what is wrong",
        arguments: [
            ("", "ends too early"), ("[]", "JSON object"), ("{}", "JSON object"), ("{\"x\": \"/a\"}", "no field `x`"),
            ("{\"url\": \"a\"}", "`a` is no JSON Pointer"), ("{\"url\": []}", "1 to 16"),
            ("{\"url\": 7}", "list of pointers"),
            ("{\"url\": [\"/a\", 7]}", "list of pointers"), ("{\"url\": \"/a | jq\"}", "no filter `jq`"),
            ("{\"url\": \"/a\", \"url\": \"/b\"}", "twice"),
            ("{\"url\": \"/a" + String(repeating: " | split", count: 9) + "\"}", "More than 8 filters"),
            ("{\"url\": \"/" + String(repeating: "a", count: 17_000) + "\"}", "over the limit"),
        ])
    func refused(_ mapping: String, _ detail: String) {
        let error = #expect(throws: HookError.self) { try HookMapping(json: Array(mapping.utf8)) }
        #expect(error?.detail.contains(detail) == true, "\(String(describing: error))")
    }

    @Test(
        "makes links of the recorded requests that need one",
        .enabled(if: Samples.areThere, "the recorded requests are not on this machine"),
        arguments: [
            ("node-red/payload.json", "{\"url\": \"/payload/url\"}", ["link https://example.org/a.jpg"]),
            (
                "ifttt/maker.json", "{\"url\": \"/value1\", \"description\": \"/value2\", \"board\": \"/value3\"}",
                ["link https://example.org/i.jpg"]
            ),
        ])
    func samples(_ file: String, _ mapping: String, _ items: [String]) throws {
        let body = String(decoding: try contents(of: "\(Samples.folder)/\(file)"), as: UTF8.self)
        #expect(try content(mapping, body).summary == items)
    }
}
