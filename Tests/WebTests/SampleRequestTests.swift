import PinpostCore
import Testing
import Web

/// What the index of the recorded requests promises, through a listener and a store.
@Suite(
    "A recorded request to a running service", .timeLimit(.minutes(10)),
    .enabled(if: SampleRequests.areThere, "the recorded requests are not on this machine"))
struct SampleRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let file: String
        let items: [String]
        var description: String?
        var tags: [String] = []
        var board: String?
        var source: String?
        var status = 202
        var testDescription: String { file }
    }

    static let rows = [
        Row(
            file: "zapier/post-json.json", items: ["link https://example.org/photo.jpg"], description: "From a Zap",
            tags: ["a", "b", "c"], board: "Trips"),
        Row(
            file: "zapier/post-form.http", items: ["link https://example.org/photo.jpg"], description: "From a Zap",
            tags: ["a", "b"]),
        Row(file: "make/http-json.json", items: ["link https://example.org/1.jpg", "link https://example.org/2.jpg"]),
        Row(
            file: "ifttt/maker.json", items: ["link https://example.org/i.jpg"],
            description: "caption from IFTTT\nboard"),
        Row(
            file: "ios-shortcuts/form-files.http",
            items: ["picture IMG_0001.HEIC image/png 73", "picture IMG_0002.png image/png 73"],
            description: "From Shortcuts", board: "Trips"),
        Row(
            file: "ios-shortcuts/raw-file.http", items: ["picture - image/png 73"], description: "Raw file",
            tags: ["a", "b"]),
        Row(
            file: "ios-shortcuts/json-base64.json", items: ["picture photo.heic image/png 73"],
            description: "base64 of a file", source: "https://example.org/p"),
        Row(file: "ios-shortcuts/json-base64-wrapped.json", items: ["picture x.png image/png 73"]),
        Row(
            file: "http-shortcuts/form.http", items: ["picture screenshot.png image/png 73"],
            description: "Shared text", source: "https://example.org/a"),
        Row(file: "sharex/upload.http", items: ["picture ShareX_1.png image/png 73"], description: "ShareX_1.png"),
        Row(
            file: "web-share-target/post.http", items: ["picture a.png image/png 73", "picture b.png image/png 73"],
            description: "A page", source: "https://example.org/a", status: 303),
        Row(file: "apprise/json.json", items: ["picture snap.png image/png 73"], description: "Camera\nMotion"),
        Row(
            file: "ntfy/attach-url.http", items: ["link https://example.org/a.jpg"], description: "Door",
            tags: ["door", "cam"]),
        Row(file: "n8n/http-request.json", items: ["image https://example.org/a.jpg"], description: "t"),
        Row(
            file: "home-assistant/rest-command.json",
            items: ["link http://homeassistant.local:8123/api/camera_proxy/camera.door?token=x"],
            description: "Front door"),
        Row(file: "generic/minimal-url.json", items: ["link https://example.org/a.jpg"]),
        Row(
            file: "generic/full.json", items: ["link https://example.org/a", "picture a.png image/png 73"],
            source: "https://example.org/"),
        Row(file: "hostile/bom.http", items: ["link https://example.org/a"]),
        Row(file: "hostile/lone-surrogate.http", items: ["link https://example.org/a"], description: "\u{FFFD}"),
        Row(file: "hostile/huge-number.http", items: ["link https://example.org/a"]),
        Row(
            file: "hostile/multipart-files.http",
            items: ["picture x.png image/png 73", "picture a.jpg image/gif 26"]),
    ]

    @Test("becomes what the index says", arguments: rows)
    func becomes(_ row: Row) async throws {
        try await withService { server, ports in
            let request = withoutWaiting(try SampleRequests.bytes(row.file, token: ports.token.shown))
            let answer = try #require(try await server.send(request))
            #expect(answer.status == row.status, "\(answer.body)")
            let message = try #require(try await ports.received().first)
            let content = try ports.content(of: message)
            #expect(content.summary == row.items)
            #expect(content.wishes.description == row.description)
            #expect(content.wishes.tags == row.tags)
            #expect(content.wishes.board == row.board)
            let source = content.wishes.source ?? content.items.first?.wishes.source
            #expect(source == row.source)
        }
    }

    @Test(
        "that is hostile is refused with 400, and nothing is stored",
        arguments: ["bad-json", "dup-keys", "deep", "nul"])
    func hostile(_ name: String) async throws {
        try await withService { server, ports in
            let request = try SampleRequests.bytes("hostile/\(name).http", token: ports.token.shown)
            let answer = try #require(try await server.send(request))
            #expect(answer.status == 400)
            #expect(answer.body.contains("\"position\":{\"byte\":"))
            #expect(try await ports.received().isEmpty)
        }
    }

    @Test(
        "of any other form is read by the hook's mapping",
        arguments: [
            ("node-red/payload.json", "link https://example.org/a.jpg", "cam", nil),
            ("ifttt/maker.json", "link https://example.org/i.jpg", "caption from IFTTT", "board"),
        ])
    func mapped(_ file: String, _ item: String, _ description: String, _ board: String?) async throws {
        try await withService { server, ports in
            let request = try SampleRequests.bytes(file, token: ports.token.shown, hook: "mapped")
            let answer = try #require(try await server.send(request))
            #expect(answer.status == 202, "\(answer.body)")
            let content = try ports.content(of: #require(try await ports.received().first))
            #expect(content.summary == [item])
            #expect(content.wishes.description == description)
            #expect(content.wishes.board == board)
        }
    }

    @Test("of Node-RED says without a mapping what is missing")
    func nodeRED() async throws {
        try await withService { server, ports in
            let request = try SampleRequests.bytes("node-red/payload.json", token: ports.token.shown)
            let answer = try await server.send(request)
            #expect(answer?.status == 422 && answer?.body.contains("url, image_url or image") == true)
        }
    }

    @Test("of ShareX is answered with the page of its pin and the small picture")
    func shareX() async throws {
        try await withService { server, ports in
            async let answer = server.send(try SampleRequests.bytes("sharex/upload.http", token: ports.token.shown))
            _ = try await ports.pinNext()
            let body = try #require(try await answer).body
            let pin =
                #""pin":{"id":7,"thumbnail":"https://pinry.example.org/media/a/b.jpg","url":"https://pinry.example.org/pins/7"}"#
            #expect(body.contains(pin))
        }
    }

    @Test("of a bookmarklet: the preflight is answered, a GET pins nothing")
    func bookmarklet() async throws {
        try await withService { server, ports in
            let preflight = try #require(
                try await server.send(try SampleRequests.bytes("bookmarklet/cors-preflight.http", token: "")))
            #expect(preflight.status == 204 && preflight.body.isEmpty)
            #expect(preflight.field("access-control-allow-origin") == "*")
            #expect(preflight.field("access-control-allow-credentials") == nil)
            let allowed = preflight.field("access-control-allow-headers")?.lowercased() ?? ""
            #expect(allowed.contains("authorization") && allowed.contains("content-type"))
            let form = try SampleRequests.bytes("bookmarklet/get-form.http", token: ports.token.shown)
            #expect(try await server.send(form)?.status == 405)
            #expect(try await ports.received().isEmpty)
        }
    }

    /// Nobody pins here: the answer would only come when the time is over.
    private func withoutWaiting(_ request: [UInt8]) -> [UInt8] {
        guard let range = request.firstRange(of: Array("?wait=10".utf8)) else { return request }
        return Array(request[..<range.lowerBound] + request[range.upperBound...])
    }
}
