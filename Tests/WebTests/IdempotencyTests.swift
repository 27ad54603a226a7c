import PinpostCore
import Testing
import Web

@Suite("An Idempotency-Key", .timeLimit(.minutes(10)))
struct IdempotencyTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    private func request(_ ports: ServiceFixture, _ body: String, key: String, path: String = "/v1/hooks/hook1")
        -> Request
    {
        .json(path, token: ports.token.shown, body).with("Idempotency-Key", key)
    }

    @Test("gives a repeat the answer of the first request, and says that it is one")
    func repeats() async throws {
        try await withService { server, ports in
            let first = try #require(try await server.send(request(ports, link, key: "k")))
            _ = try await ports.pinNext()
            let again = try #require(try await server.send(request(ports, link, key: "\"k\"")))
            #expect(first.status == 202 && again.status == 202)
            #expect(again.body == first.body && again.field("location") == first.field("location"))
            #expect(first.field("idempotent-replayed") == nil && again.field("idempotent-replayed") == "true")
            #expect(try await ports.received().count == 1)
        }
    }

    @Test("with another request is refused with 422, whatever is other")
    func others() async throws {
        try await withService { server, ports in
            #expect(try await server.status(request(ports, link, key: "k")) == 202)
            let others = [
                request(ports, #"{"url":"https://example.org/b.jpg"}"#, key: "k"),
                request(ports, link, key: "k").with("X-Board", "Trips"),
                request(ports, link, key: "k", path: "/v1/hooks/hook1?tags=a"),
            ]
            for other in others {
                let status = try await server.status(other)
                #expect(status == 422)
            }
            #expect(try await ports.received().count == 1)
            #expect(ports.spooledCount == 0)
        }
    }

    /// A form as clients send it, with a boundary of their own choice.
    private func form(
        _ ports: ServiceFixture, boundary: String, name: String = "a.png", type: String = "image/png",
        content: String = "\u{89}PNG\r\n\u{1A}\n", count: Int = 1
    ) -> Request {
        let part =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
            + "Content-Type: \(type)\r\n\r\n"
        let bytes = content.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let parts = (0..<count).flatMap { _ in Array(part.utf8) + bytes + Array("\r\n".utf8) }
        return Request(
            path: "/v1/hooks/hook1",
            fields: [
                ("Authorization", "Bearer \(ports.token.shown)"), ("Idempotency-Key", "k"),
                ("Content-Type", "multipart/form-data; boundary=\(boundary)"),
            ], body: parts + Array("--\(boundary)--\r\n".utf8))
    }

    @Test("of a form is known again behind another boundary, be it small or a file", arguments: [1, 100_000])
    func boundaries(times: Int) async throws {
        try await withService { server, ports in
            let content = "\u{89}PNG\r\n\u{1A}\n" + String(repeating: "x", count: times)
            let first = try #require(try await server.send(form(ports, boundary: "one", content: content)))
            let again = try #require(try await server.send(form(ports, boundary: "another-one", content: content)))
            #expect(first.status == 202 && again.status == 202)
            #expect(again.field("idempotent-replayed") == "true")
            #expect(again.field("location") == first.field("location"))
            #expect(try await ports.received().count == 1)
            #expect(ports.spooledCount == (times > 1 ? 1 : 0))
        }
    }

    @Test("of a form whose names, types, bytes or number of parts are others is refused with 422")
    func otherForms() async throws {
        try await withService { server, ports in
            #expect(try await server.status(form(ports, boundary: "one")) == 202)
            let others = [
                form(ports, boundary: "two", name: "b.png"), form(ports, boundary: "two", type: "image/jpeg"),
                form(ports, boundary: "two", content: "\u{89}PNG\r\n\u{1A}\n."),
                form(ports, boundary: "two", count: 2),
            ]
            for other in others {
                let status = try await server.status(other)
                #expect(status == 422)
            }
        }
    }

    @Test("is not used up by a request that was refused")
    func refused() async throws {
        try await withService { server, ports in
            let statuses = [
                try await server.status(request(ports, "{", key: "k")),
                try await server.status(request(ports, link, key: "k")),
            ]
            #expect(statuses == [400, 202])
        }
    }

    @Test("of a request that is still coming in is refused with 409, until it is there or its client has left")
    func underWay() async throws {
        try await withService { server, ports in
            let slow = request(ports, link, key: "k").with("Expect", "100-continue").bytes
            let body = link.utf8.count
            let others = ["k", "other"].map { request(ports, link, key: $0).bytes }
            let statuses = try await server.withClient { client in
                client.send(Array(slow.dropLast(body)))
                // With this answer the request is under way.
                var statuses = [try client.response()?.status]
                for other in others {
                    let another = try RawClient(port: server.listener.port)
                    another.send(other)
                    statuses.append(try another.response()?.status)
                }
                client.send(Array(slow.suffix(body)))
                statuses.append(try client.response()?.status)
                return statuses
            }
            #expect(statuses == [100, 409, 202, 202])
            let again = try await server.status(request(ports, link, key: "k"))
            #expect(again == 202)
        }
    }

    @Test("that is sent twice is refused")
    func twice() async throws {
        try await withService { server, ports in
            let status = try await server.status(request(ports, link, key: "a").with("Idempotency-Key", "a"))
            #expect(status == 400)
        }
    }
}

@Suite("The head of a hook call", .timeLimit(.minutes(10)))
struct HookHeadTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    @Test("with two Authorization or two Content-Type fields is refused: proxies and servers take different ones")
    func twoOfOne() async throws {
        try await withService { server, ports in
            let good = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            for (name, value) in [("Authorization", "Bearer x"), ("Content-Type", "text/plain")] {
                let status = try await server.status(good.with(name, value))
                #expect(status == 400)
            }
            #expect(try await ports.received().isEmpty)
        }
    }

    @Test("may end its path with a slash")
    func slash() async throws {
        try await withService { server, ports in
            let paths = ["/v1/hooks/hook1/", "/v1/hooks/hook1/\(ports.token.shown)/"]
            for path in paths {
                let status = try await server.status(.json(path, token: ports.token.shown, link))
                #expect(status == 202)
            }
            let id = try #require(try await ports.received().first?.id)
            let status = try await server.status(.get("/v1/messages/\(id)/", token: ports.token.shown))
            #expect(status == 200)
            #expect(try await server.status(.get("/healthz/")) == 200)
            #expect(try await server.status(.get("/healthz//")) == 404)
        }
    }

    @Test("of a page's script lets the page read the answer, also a refusal; no other path does")
    func crossOrigin() async throws {
        try await withService { server, ports in
            let origin = ("Origin", "https://www.example.org")
            for (token, status) in [(ports.token.shown, 202), ("x", 401)] {
                let answer = try #require(
                    try await server.send(Request.json("/v1/hooks/hook1", token: token, link).with(origin.0, origin.1)))
                #expect(answer.status == status)
                #expect(answer.field("access-control-allow-origin") == "*")
                #expect(answer.field("access-control-expose-headers")?.contains("Location") == true)
            }
            let id = try #require(try await ports.received().first?.id)
            for path in ["/healthz", "/v1/messages/\(id)", "/openapi.json"] {
                let answer = try await server.send(
                    Request.get(path, token: ports.token.shown).with(origin.0, origin.1))
                #expect(answer?.field("access-control-allow-origin") == nil)
            }
            var preflight = Request.get("/healthz").with(origin.0, origin.1)
            preflight.method = "OPTIONS"
            let refused = try await server.status(preflight.with("Access-Control-Request-Method", "POST"))
            #expect(refused == 405)
        }
    }

    @Test("of a browser's form leads it to the status")
    func navigation() async throws {
        try await withService(publicURL: "https://in.example/pins") { server, ports in
            let path = "/v1/hooks/hook1/\(ports.token.shown)"
            let request = Request.json(path, link).with("Sec-Fetch-Mode", "navigate").with("Sec-Fetch-Dest", "document")
            let answer = try #require(try await server.send(request))
            let id = try #require(try await ports.received().first?.id)
            #expect(answer.status == 303)
            #expect(answer.field("location") == "/pins/v1/messages/\(id)/\(ports.token.shown)")
        }
    }

    @Test("is refused the same way for HEAD and OPTIONS without a preflight")
    func methods() async throws {
        try await withService { server, ports in
            for method in ["HEAD", "GET", "DELETE", "OPTIONS"] {
                var request = Request.get("/v1/hooks/hook1/\(ports.token.shown)")
                request.method = method
                let answer = try await server.withClient { [request] client in
                    client.send(request.bytes)
                    client.endSending()
                    return try client.rest()
                }
                #expect(answer.hasPrefix("HTTP/1.1 405 "))
                #expect(answer.contains("Allow: POST, PUT"))
            }
            #expect(try await ports.received().isEmpty)
        }
    }
}
