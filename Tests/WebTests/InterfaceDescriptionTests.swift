import FoundationEssentials
import PinpostCore
import StoreSQLite
import Testing
import Web

/// Whether `/openapi.json` and the service say the same.
@Suite("The description of the interface", .timeLimit(.minutes(10)))
struct InterfaceDescriptionTests {
    private struct Description: Decodable {
        struct Operation: Decodable {
            struct Answer: Decodable {
                struct Content: Decodable {}
                var content: [String: Content]?
            }
            var responses: [String: Answer]
        }
        struct Path: Decodable {
            var get: Operation?
            var post: Operation?
            var put: Operation?
        }
        var openapi: String
        var paths: [String: Path]
    }

    private let link = #"{"url":"https://example.org/a.jpg"}"#

    private func description(of server: TestServer) async throws -> Description {
        let answer = try #require(try await server.send(.get("/openapi.json")))
        #expect(answer.status == 200 && answer.field("content-type") == "application/json")
        return try JSONDecoder().decode(Description.self, from: Data(answer.body.utf8))
    }

    @Test("is OpenAPI 3.1, and names what others may reach it by")
    func version() async throws {
        try await withService(publicURL: "https://in.example/pins") { server, _ in
            let description = try await description(of: server)
            #expect(description.openapi == "3.1.0")
            let paths: Set<String> = [
                "/v1/hooks/{id}", "/v1/hooks/{id}/{secret}", "/v1/messages/{id}", "/v1/messages/{id}/{secret}",
                "/v1/messages/{id}/undo/{key}", "/healthz", "/readyz", "/openapi.json",
            ]
            #expect(Set(description.paths.keys) == paths)
            let text = try #require(try await server.send(.get("/openapi.json"))).body
            #expect(text.contains(#""url":"https:\/\/in.example\/pins""#) || text.contains("https://in.example/pins"))
        }
    }

    @Test("has every answer of a hook, and a hook gives every answer that it has")
    func everyStatus() async throws {
        var limits = RequestLimits()
        limits.perHook = Rate(perSecond: 0.001, burst: 11)
        let documented = try await withService { server, _ in
            try #require(try await description(of: server).paths["/v1/hooks/{id}"]?.post?.responses)
        }
        var seen = try await statuses(limits)
        seen.formUnion(try await lateStatuses())
        #expect(Set(documented.keys) == Set(seen.map(String.init)))
    }

    /// One request for each status that a healthy service gives.
    private func statuses(_ limits: RequestLimits) async throws -> Set<Int> {
        try await withService(limits: limits) { server, ports in
            let good = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            var compressed = good.with("Content-Encoding", "gzip")
            compressed.path += "/"
            let page = Request.json("/v1/hooks/hook1/\(ports.token.shown)", link)
                .with("Sec-Fetch-Mode", "navigate").with("Sec-Fetch-Dest", "document")
            let text = String(repeating: "a", count: 70_000)
            let requests = [
                good, page, .json("/v1/hooks/hook1", token: "x", link), compressed,
                .json("/v1/hooks/hook1", token: ports.token.shown, "{"),
                .json("/v1/hooks/hook1", token: ports.token.shown, "{}"),
                .json("/v1/hooks/hook1", token: ports.token.shown, "{\"title\":\"\(text)\"}"),
                good.with("X-Long", String(repeating: "a", count: 20_000)),
            ]
            var seen: Set<Int> = []
            for request in requests { seen.insert(try await server.status(request) ?? 0) }
            var hook = try #require(try await ports.store.hook(Hook.ID("hook2")))
            hook.settings.scopes = [.status]
            try await ports.store.update(hook)
            seen.insert(try await server.status(.json("/v1/hooks/hook2", token: ports.otherToken.shown, link)) ?? 0)
            // 409 comes in the middle of another request, which has its own test.
            seen.insert(409)
            for _ in 0..<12 { seen.insert(try await server.status(good) ?? 0) }
            return seen
        }
    }

    /// 200 after waiting, and what a store in trouble makes of a message.
    private func lateStatuses() async throws -> Set<Int> {
        try await withService { server, ports in
            let good = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            var waiting = good
            waiting.path += "?wait=60"
            async let answer = server.status(waiting)
            _ = try await ports.pinNext()
            var seen: Set<Int> = [try await answer ?? 0]
            for code in [StoreError.Code.diskFull, .unavailable] {
                ports.sink.fail(with: StoreError(code))
                seen.insert(try await server.status(good) ?? 0)
            }
            return seen
        }
    }

    @Test("has the types of all answers")
    func types() async throws {
        try await withService { server, _ in
            let paths = try await description(of: server).paths
            let undo = try #require(paths["/v1/messages/{id}/undo/{key}"]?.post).responses.mapValues(\.content?.count)
            #expect(
                undo == [
                    "200": 2, "409": 2, "410": 2, "502": 2, "503": 2, "400": 1, "404": 1, "429": 1,
                ])
            for operation in paths.values.flatMap({ [$0.get, $0.post, $0.put].compactMap { $0 } }) {
                for (status, answer) in operation.responses where status != "303" && answer.content?["text/html"] == nil
                {
                    let type = (Int(status) ?? 0) < 400 ? "application/json" : "application/problem+json"
                    #expect(answer.content?.keys.first == type)
                }
            }
        }
    }
}
