import Glibc
import PinpostCore
import Testing

@testable import Hooks

/// Recorded requests of real senders, with what each must lead to.
@Suite("A recorded request", .enabled(if: Samples.areThere, "the recorded requests are not on this machine"))
struct SampleTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let file: String
        let items: [String]
        var tags: [String] = []
        var testDescription: String { file }
    }

    static let expectations: [Expectation] = [
        Expectation(file: "generic/minimal-url.json", items: ["link https://example.org/a.jpg"]),
        Expectation(file: "generic/full.json", items: ["link https://example.org/a", "picture a.png image/png 73"]),
        Expectation(
            file: "zapier/post-json.json", items: ["link https://example.org/photo.jpg"], tags: ["a", "b", "c"]),
        Expectation(file: "zapier/post-form.http", items: ["link https://example.org/photo.jpg"], tags: ["a", "b"]),
        Expectation(
            file: "make/http-json.json", items: ["link https://example.org/1.jpg", "link https://example.org/2.jpg"]),
        Expectation(
            file: "ios-shortcuts/form-files.http",
            items: ["picture IMG_0001.HEIC image/png 73", "picture IMG_0002.png image/png 73"]),
        Expectation(file: "ios-shortcuts/raw-file.http", items: ["picture - image/png 73"], tags: ["a", "b"]),
        Expectation(file: "ios-shortcuts/json-base64.json", items: ["picture photo.heic image/png 73"]),
        Expectation(file: "ios-shortcuts/json-base64-wrapped.json", items: ["picture x.png image/png 73"]),
        Expectation(file: "http-shortcuts/form.http", items: ["picture screenshot.png image/png 73"]),
        Expectation(file: "sharex/upload.http", items: ["picture ShareX_1.png image/png 73"]),
        Expectation(file: "apprise/json.json", items: ["picture snap.png image/png 73"]),
        Expectation(file: "ntfy/attach-url.http", items: ["link https://example.org/a.jpg"], tags: ["door", "cam"]),
        Expectation(file: "n8n/http-request.json", items: ["image https://example.org/a.jpg"]),
        Expectation(file: "hostile/bom.http", items: ["link https://example.org/a"]),
        Expectation(file: "hostile/lone-surrogate.http", items: ["link https://example.org/a"]),
        Expectation(file: "hostile/huge-number.http", items: ["link https://example.org/a"]),
        Expectation(
            file: "hostile/multipart-files.http", items: ["picture x.png image/png 73", "picture a.jpg image/gif 26"]),
    ]

    @Test("becomes what its index says", arguments: expectations)
    func becomes(_ expectation: Expectation) throws {
        let content = try Samples.read(expectation.file)
        #expect(content.summary == expectation.items)
        #expect(content.wishes.tags == expectation.tags)
    }

    @Test(
        "of a hostile kind is refused",
        arguments: [
            "hostile/bad-json.http", "hostile/dup-keys.http", "hostile/deep.http", "hostile/nul.http",
        ])
    func refused(_ file: String) throws {
        let error = #expect(throws: HookError.self) { try Samples.read(file) }
        #expect(error?.code == .malformed)
        #expect(error?.position != nil)
    }

    @Test("says why the rest of its files are not pinned")
    func reasons() throws {
        let skipped = try Samples.read("hostile/multipart-files.http").skipped
        #expect(skipped.map(\.name) == ["a.svg", "empty.png"])
        #expect(skipped.map(\.reason) == ["drawings in SVG are not pinned", "the file is empty"])
        let page = try Samples.read("http-shortcuts/form.http")
        #expect(page.items.first?.wishes.source == "https://example.org/a")
    }
}

enum Samples {
    static let folder: String = {
        let shared = getenv("PINPOST_SHARED").map { String(cString: $0) }
        return (shared ?? "../shared") + "/webhooks"
    }()

    static var areThere: Bool { access(folder + "/INDEX.md", R_OK) == 0 }

    /// A `.json` file is a body, a `.http` file a whole request.
    static func read(_ file: String) throws -> MessageContent {
        let bytes = try contents(of: folder + "/" + file)
        guard file.hasSuffix(".http") else { return try HooksTests.read(bytes, as: "application/json") }
        return try RecordedRequest(bytes).content()
    }
}
