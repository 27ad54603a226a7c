import FoundationEssentials
import PinpostCore
import Testing
import Web

@Suite("The status of a message", .timeLimit(.minutes(10)))
struct MessageRouteTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    @Test("has the shape that was promised, with nulls")
    func shape() async throws {
        try await withService { server, ports in
            _ = try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            let id = try await ports.pinNext()
            let answer = try #require(try await server.send(.get("/v1/messages/\(id)", token: ports.token.shown)))
            #expect(answer.status == 200)
            let pin =
                #"{"id":7,"thumbnail":"https://pinry.example.org/media/a/b.jpg","url":"https://pinry.example.org/pins/7"}"#
            let item = #"{"id":"item1","kind":"link","pin":\#(pin),"reason":null,"state":"done","step":"done"}"#
            let skipped =
                #"{"bytes":null,"kind":"link","reason":"not a link with http or https","type":null,"url":"ftp://x"}"#
            #expect(
                answer.body
                    == #"{"id":"\#(id)","items":[\#(item)],"reason":null,"skipped":[\#(skipped)],"state":"done"}"#
                    + "\n")
        }
    }

    @Test("is there for the hook that made it; everybody else gets the same 404")
    func access() async throws {
        try await withService { server, ports in
            _ = try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, link))
            let id = try #require(try await ports.received().first?.id)
            let path = "/v1/messages/\(id)"
            #expect(try await server.status(.get("\(path)/\(ports.token.shown)")) == 200)
            let strangers = [
                Request.get(path), .get(path, token: ports.otherToken.shown), .get(path, token: "x"),
                .get("/v1/messages/none", token: ports.token.shown), .get("\(path)/\(ports.otherToken.shown)"),
            ]
            var answers: Set<String> = []
            for request in strangers {
                let answer = try #require(try await server.send(request))
                #expect(answer.status == 404)
                answers.insert(answer.body)
            }
            #expect(answers.count == 1)
        }
    }

    @Test("is waited for, and answered with 200 once it is final")
    func waiting() async throws {
        try await withService { server, ports in
            async let answer = server.send(.json("/v1/hooks/hook1?wait=60", token: ports.token.shown, link))
            let id = try await ports.pinNext()
            let final = try #require(try await answer)
            #expect(final.status == 200)
            #expect(final.body.contains("\"state\":\"done\""))
            #expect(final.field("location") == "/v1/messages/\(id)")
        }
    }

    @Test("is answered with 202 when the wait ends before it is final")
    func waitingInVain() async throws {
        try await withService { server, ports in
            let answer = try await server.send(.json("/v1/hooks/hook1?wait=0", token: ports.token.shown, link))
            #expect(answer?.status == 202)
            #expect(answer?.body.contains("\"items\":[]") == true)
        }
    }

    @Test("is answered at once when the service stops")
    func stopWhileWaiting() async throws {
        try await withService { server, ports in
            async let answer = server.send(.json("/v1/hooks/hook1?wait=60", token: ports.token.shown, link))
            while try await ports.received().isEmpty { await Task.yield() }
            server.shutdown.request()
            let last = try #require(try await answer)
            #expect(last.status == 202)
            #expect(last.closes)
        }
    }

    @Test("its Location carries the path of the public address")
    func location() async throws {
        try await withService(publicURL: "https://example.org/pinpost/") { server, ports in
            let answer = try await server.send(
                Request.json("/v1/hooks/hook1", token: ports.token.shown, link).with("X-Forwarded-Host", "evil"))
            #expect(answer?.field("location")?.hasPrefix("/pinpost/v1/messages/") == true)
        }
    }

    @Test("health and readiness are told, unknown paths are not there")
    func health() async throws {
        let checks = HealthChecks(hindrance: { "the disk is full" })
        try await withService(health: checks) { server, _ in
            #expect(try await server.status(.get("/healthz")) == 200)
            let ready = try await server.send(.get("/readyz"))
            #expect(ready?.status == 503)
            #expect(ready?.body.contains("the disk is full") == true)
            #expect(try await server.status(Request(path: "/healthz")) == 405)
            #expect(try await server.status(.get("/v1/none")) == 404)
        }
    }
}
