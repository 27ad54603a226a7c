import FoundationEssentials
import PinpostCore
import Synchronization
import Testing
import Web

@Suite("A hook call", .timeLimit(.minutes(10)))
struct HookRouteTests {
    private let link = #"{"url":"https://example.org/a.jpg"}"#

    @Test("is stored and answered with 202, id and Location")
    func accepted() async throws {
        try await withService { server, ports in
            let answer = try #require(
                try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, link)))
            let message = try #require(try await ports.received().first)
            #expect(answer.status == 202)
            #expect(answer.field("location") == "/v1/messages/\(message.id)")
            #expect(answer.body == "{\"id\":\"\(message.id)\",\"state\":\"accepted\"}\n")
            #expect(message.tenant == ports.tenant.id)
            #expect(message.route == .hook(Hook.ID("hook1")))
            #expect(message.body?.place == .inline(Array(link.utf8)))
            #expect(message.envelope.contentType == "application/json")
        }
    }

    @Test("may bring its token as Bearer, as password of Basic, or in the path")
    func credentials() async throws {
        try await withService { server, ports in
            let token = ports.token.shown
            let basic = Data("ada:\(token)".utf8).base64EncodedString()
            let requests = [
                Request.json("/v1/hooks/hook1", link).with("Authorization", "Bearer \(token)"),
                Request.json("/v1/hooks/hook1", link).with("authorization", "bearer \(token)"),
                Request.json("/v1/hooks/hook1", link).with("Authorization", "Basic \(basic)"),
                Request.json("/v1/hooks/hook1/\(token)", link),
            ]
            for request in requests {
                let status = try await server.status(request)
                #expect(status == 202)
            }
            #expect(try await ports.received().count == requests.count)
        }
    }

    @Test("without the right token gets the same 401, whatever is wrong")
    func refused() async throws {
        try await withService { server, ports in
            let wrong = ports.otherToken.shown
            let requests = [
                Request.json("/v1/hooks/nowhere", token: ports.token.shown, link),
                Request.json("/v1/hooks/hook1", token: wrong, link),
                Request.json("/v1/hooks/hook1", token: "x", link),
                Request.json("/v1/hooks/hook1", link),
                Request.json("/v1/hooks/hook1/\(wrong)", link),
                Request.json("/v1/hooks/hook1", link).with("Authorization", "Basic !!!"),
                Request.json("/v1/hooks/hook1", token: wrong, "not JSON"),
            ]
            var answers: Set<String> = []
            for request in requests {
                let answer = try #require(try await server.send(request))
                #expect(answer.status == 401)
                #expect(answer.field("www-authenticate") == "Bearer")
                answers.insert(answer.body)
            }
            #expect(answers.count == 1)
            #expect(try await ports.received().isEmpty)
        }
    }

    @Test("never pins by GET")
    func getNeverPins() async throws {
        try await withService { server, ports in
            let answer = try #require(
                try await server.send(.get("/v1/hooks/hook1/\(ports.token.shown)?url=https://example.org/a")))
            #expect(answer.status == 405)
            #expect(answer.field("allow") == "POST, PUT")
            #expect(try await ports.received().isEmpty)
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let type: String
        let body: String
        let status: Int
        let detail: String
        var testDescription: String { name }
    }

    @Test(
        "that cannot be read is refused and nothing is stored",
        arguments: [
            Fault(
                name: "broken JSON", type: "application/json", body: "{\"url\":\n x}", status: 400,
                detail: "line 2, column 2"),
            Fault(name: "an unknown type", type: "video/mp4", body: "x", status: 415, detail: "multipart/form-data"),
            Fault(
                name: "nothing to pin", type: "application/json", body: "{\"a\":1}", status: 422, detail: "image_url"),
            Fault(
                name: "a link of another scheme", type: "application/json", body: #"{"url":"ftp://a/b"}"#, status: 422,
                detail: "ftp://a/b"),
            Fault(name: "text without a link", type: "text/plain", body: "hello", status: 422, detail: "link"),
            Fault(name: "an empty body", type: "application/json", body: "", status: 400, detail: "ends too early"),
            Fault(name: "no picture", type: "image/png", body: "hello", status: 422, detail: "not a picture"),
        ])
    func faults(_ fault: Fault) async throws {
        try await withService { server, ports in
            let request = Request(
                path: "/v1/hooks/hook1",
                fields: [("Content-Type", fault.type), ("Authorization", "Bearer \(ports.token.shown)")],
                body: Array(fault.body.utf8))
            let answer = try #require(try await server.send(request))
            #expect(answer.status == fault.status)
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(answer.body.contains("\"status\":\(fault.status)"))
            #expect(answer.body.contains(fault.detail), "\(answer.body)")
            #expect(try await ports.received().isEmpty)
        }
    }

    @Test("with bad JSON is told the position as numbers")
    func position() async throws {
        try await withService { server, ports in
            let answer = try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, "{\"a\":\n x}"))
            #expect(answer?.body.contains(#""position":{"byte":7,"line":2,"column":2}"#) == true)
        }
    }

    @Test("with a compressed body, a bad key or a bad wait is refused")
    func badHeads() async throws {
        try await withService { server, ports in
            let good = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            var endless = good
            endless.path += "?wait=61"
            let expected: [(Request, Int)] = [
                (good.with("Content-Encoding", "gzip"), 415),
                (good.with("Idempotency-Key", String(repeating: "k", count: 256)), 400),
                (good.with("Idempotency-Key", "ä"), 400),
                (good.with("Idempotency-Key", "a").with("Idempotency-Key", "b"), 400),
                (endless, 400),
            ]
            for (request, expectation) in expected {
                let status = try await server.status(request)
                #expect(status == expectation)
            }
            #expect(try await ports.received().isEmpty)
        }
    }

    @Test("that repeats an Idempotency-Key gets the first message again")
    func idempotency() async throws {
        try await withService { server, ports in
            let request = Request.json("/v1/hooks/hook1", token: ports.token.shown, link)
            let first = try await server.send(request.with("Idempotency-Key", "a b"))
            let again = try await server.send(request.with("Idempotency-Key", "a b"))
            let other = try await server.send(request.with("Idempotency-Key", "c"))
            let unkeyed = try await server.send(request)
            #expect(first?.field("location") == again?.field("location"))
            #expect(again?.status == 202)
            #expect(Set([first, other, unkeyed].map { $0?.field("location") }).count == 3)
            let elsewhere = Request.json("/v1/hooks/hook2", token: ports.otherToken.shown, link)
            let foreign = try await server.send(elsewhere.with("Idempotency-Key", "a b"))
            #expect(foreign?.field("location") != first?.field("location"))
        }
    }

    @Test(
        "is refused with 507 or 503 and a time to come back while the store cannot take it",
        arguments: [
            (StoreError.Code.diskFull, 507, "60"), (.unavailable, 503, "5"), (.corrupt, 503, "5"),
        ])
    func storeFails(_ code: StoreError.Code, _ status: Int, _ pause: String) async throws {
        try await withService { server, ports in
            ports.sink.fail(with: StoreError(code, "internal detail"))
            let answer = try #require(
                try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, link)))
            #expect(answer.status == status)
            #expect(answer.field("retry-after") == pause)
            #expect(!answer.body.contains("internal detail"))
        }
    }

    @Test("with a large body leaves nothing in the spool when it is refused, and one body when it is taken")
    func spool() async throws {
        try await withService { server, ports in
            let padding = String(repeating: " ", count: 300_000)
            let bad = try await server.send(.json("/v1/hooks/hook1", token: ports.token.shown, padding + "{"))
            #expect(bad?.status == 400)
            #expect(ports.spooledCount == 0)
            let request = Request.json("/v1/hooks/hook1", token: ports.token.shown, padding + link)
                .with("Idempotency-Key", "x")
            for _ in 0..<2 { #expect(try await server.status(request) == 202) }
            #expect(ports.spooledCount == 1)
        }
    }

    @Test("a secret in the path never reaches the log")
    func secretsStayOut() async throws {
        let lines = Mutex<[String]>([])
        let logger = Logger(level: .debug) { line in lines.withLock { $0.append(line) } }
        try await withService(logger: logger) { server, ports in
            let path = "/v1/hooks/hook1/\(ports.token.shown)"
            _ = try await server.send(.json(path, link))
            ports.sink.fail(with: StoreError(.diskFull))
            _ = try await server.send(.json(path, link))
            let logged = lines.withLock { $0 }
            #expect(logged.count == 2)
            #expect(!logged.joined().contains(ports.token.shown))
        }
    }

    @Test("the metadata of a raw picture comes from query and header")
    func metadata() async throws {
        try await withService { server, ports in
            let request = Request(
                path: "/v1/hooks/hook1?description=Raw%20file&tags=a,b&secret=1",
                fields: [
                    ("Content-Type", "image/png"), ("Authorization", "Bearer \(ports.token.shown)"),
                    ("X-Board", "Trips"), ("Filename", "a.png"),
                ],
                body: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            let status = try await server.status(request)
            #expect(status == 202)
            #expect(
                try await ports.received().first?.envelope.fields
                    == ["description": "Raw file", "tags": "a,b", "board": "Trips", "filename": "a.png"])
        }
    }
}
