import FoundationEssentials
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import CurlKit

@Suite("HTTP client", .timeLimit(.minutes(10)))
struct HTTPClientTests {
    private func client(_ servers: LoopbackServer...) throws -> HTTPClient {
        var settings = HTTPClient.Settings(userAgent: "Pinpost/test")
        settings.exceptions = Set(servers.compactMap { AddressPolicy.Exception("127.0.0.1:\($0.port)") })
        return try HTTPClient(settings)
    }

    private func pinry(_ server: LoopbackServer, id: String = "one") -> EgressClass {
        .pinry(Server(id: Server.ID(id), baseURL: server.url, allowsPrivateNetwork: true))
    }

    @Test("a GET brings status, headers and body")
    func get() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.Reply(
                200,
                [("X-Saw", "\(request.method) \(request.target)"), ("X-Agent", request.header("user-agent") ?? "")],
                body: Array("hello".utf8))
        }
        let response = try await client(server).send(HTTPRequest(url: "\(server.url)/a?b=c#d"), as: .message)
        #expect(response.status == 200)
        #expect(response.header("x-saw") == "GET /a?b=c")
        #expect(response.header("x-agent") == "Pinpost/test")
        #expect(response.body == Array("hello".utf8))
        #expect(response.url == "\(server.url)/a?b=c")
    }

    @Test("a multipart body has its length, our file name and the bytes, and is never chunked")
    func multipart() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.Reply(
                201, [("X-Length", request.header("content-length") ?? "none"), ("X-Chunked", "\(request.isChunked)")],
                body: request.body)
        }
        let picture = [UInt8](repeating: 7, count: 200_000)
        let stored = StoredBytes(place: .inline(picture), count: picture.count, sha256: [])
        let request = HTTPRequest(
            method: "POST", url: server.url,
            body: .multipart([
                .init(name: "image", content: .file(stored, name: "abc-0.jpg", contentType: "image/jpeg")),
                .init(name: "description", content: .text("grüße")),
            ]))
        let response = try await HTTPClient().send(request, as: pinry(server))
        #expect(response.header("x-chunked") == "false")
        #expect(response.header("x-length") == "\(response.body.count)")
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains("Content-Disposition: form-data; name=\"image\"; filename=\"abc-0.jpg\"\r\n"))
        #expect(text.contains("Content-Type: image/jpeg\r\n"))
        #expect(text.contains("name=\"description\"\r\n\r\ngrüße\r\n"))
        #expect(response.body.filter { $0 == 7 }.count == picture.count)
    }

    @Test("the token goes to Pinry, and never with a link of a message")
    func authorization() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.Reply(200, body: Array((request.header("authorization") ?? "none").utf8))
        }
        var request = HTTPRequest(url: server.url)
        request.authorization = ("Token", Secret(copying: Array("s3cret".utf8)))
        let client = try client(server)
        #expect(try await client.send(request, as: pinry(server)).body == Array("Token s3cret".utf8))
        #expect(try await client.send(request, as: .message).body == Array("none".utf8))
        request.authorization = ("Token", Secret(copying: Array("a\r\nX-Evil: 1".utf8)))
        await #expect(throws: HTTPExchangeError.self) { try await client.send(request, as: pinry(server)) }
    }

    @Test("Pinry's redirects are reported, a link's are followed five times, each one judged")
    func redirects() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/loop": LoopbackServer.Reply(302, [("Location", "/loop")])
            case "/inside": LoopbackServer.Reply(302, [("Location", "http://127.0.0.2:80/")])
            case "/file": LoopbackServer.Reply(302, [("Location", "file:///etc/passwd")])
            case "/user": LoopbackServer.Reply(302, [("Location", "http://user:p@example.com/")])
            case let target where target.hasPrefix("/hop"):
                LoopbackServer.Reply(
                    302, [("Location", target == "/hop5" ? "end" : "hop\((Int(target.suffix(1)) ?? 0) + 1)")])
            default: LoopbackServer.Reply(200, body: Array(request.target.utf8))
            }
        }
        let client = try client(server)
        let kept = try await client.send(HTTPRequest(method: "POST", url: "\(server.url)/loop"), as: pinry(server))
        #expect(kept.status == 302 && kept.header("location") == "/loop")
        let followed = try await client.send(HTTPRequest(url: "\(server.url)/hop1"), as: .message)
        #expect(followed.url == "\(server.url)/end")
        let cases: [(String, HTTPExchangeError.Code)] = [
            ("/hop0", .tooManyRedirects), ("/loop", .tooManyRedirects), ("/inside", .refusedAddress),
            ("/file", .badURL),
            ("/user", .badURL),
        ]
        for (path, code) in cases {
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await client.send(HTTPRequest(url: server.url + path), as: .message)
            }
            #expect(error?.code == code, "\(path)")
        }
    }

    @Test("a provider's redirects are followed to its own origin alone; elsewhere is for whoever asked to decide")
    func providerRedirects() async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/here": LoopbackServer.Reply(302, [("Location", "/there")])
            case "/elsewhere": LoopbackServer.Reply(307, [("Location", "http://127.0.0.2:1/x")])
            default: LoopbackServer.Reply(200, body: Array((request.header("authorization") ?? "none").utf8))
            }
        }
        var request = HTTPRequest(url: "\(server.url)/here")
        request.authorization = ("Bearer", Secret(copying: Array("s3cret".utf8)))
        let client = try client(server)
        let followed = try await client.send(request, as: .provider(host: "127.0.0.1"))
        #expect(followed.body == Array("Bearer s3cret".utf8) && followed.url == "\(server.url)/there")
        request.url = "\(server.url)/elsewhere"
        let reported = try await client.send(request, as: .provider(host: "127.0.0.1"))
        #expect(reported.status == 307 && reported.header("location") == "http://127.0.0.2:1/x")
    }

    @Test("a name that leads to a forbidden address is stopped at the socket, before a byte is sent")
    func rebinding() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        var settings = HTTPClient.Settings()
        settings.resolve = ["rebind.test:\(server.port):127.0.0.1", "both.test:\(server.port):127.0.0.1,::1"]
        let client = try HTTPClient(settings)
        for host in ["rebind.test", "both.test"] {
            let strict = EgressClass.pinry(Server(id: Server.ID(host), baseURL: "http://\(host)"))
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await client.send(HTTPRequest(url: "http://\(host):\(server.port)/"), as: strict)
            }
            #expect(error?.code == .refusedAddress && error?.mayHaveArrived == false)
        }
        #expect(server.connections == 0)
    }

    @Test("a name with a forbidden and an allowed address is reached at the allowed one only")
    func mixedAddresses() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        var settings = HTTPClient.Settings()
        settings.resolve = ["mixed.test:\(server.port):169.254.169.254,127.0.0.1"]
        let egress = EgressClass.pinry(Server(id: Server.ID("m"), baseURL: "", allowsPrivateNetwork: true))
        let url = "http://mixed.test:\(server.port)/"
        #expect(try await HTTPClient(settings).send(HTTPRequest(url: url), as: egress).status == 200)
        server.stop()
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await HTTPClient(settings).send(HTTPRequest(url: url), as: egress)
        }
        #expect(error?.code == .connectFailed)
    }

    @Test("a server is told its name as the guard judged it: in small letters, without what libcurl drops")
    func hostHeader() async throws {
        let server = try LoopbackServer { request in
            LoopbackServer.Reply(200, body: Array("\(request.header("host") ?? "") \(request.target)".utf8))
        }
        var settings = HTTPClient.Settings()
        settings.resolve = ["mixed.test:\(server.port):127.0.0.1"]
        let client = try HTTPClient(settings)
        let response = try await client.send(
            HTTPRequest(url: "HTTP://Mixed.TEST:\(server.port)/a/../B c?D#e"), as: pinry(server))
        #expect(String(decoding: response.body, as: UTF8.self) == "mixed.test:\(server.port) /B%20c?D")
        #expect(response.url == "http://mixed.test:\(server.port)/B%20c?D")
    }

    @Test("servers do not share connections, and one server's connection is used again")
    func pools() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        let client = try HTTPClient()
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(url: server.url), as: pinry(server, id: "one")) }
        #expect(server.connections == 1)
        _ = try await client.send(HTTPRequest(url: server.url), as: pinry(server, id: "two"))
        #expect(server.connections == 2)
    }

    @Test("a GET on a kept connection that has died is sent once more, to its own URL")
    func deadConnection() async throws {
        let targets = Mutex<[String]>([])
        let server = try LoopbackServer { request in
            let isSecond = targets.withLock { targets in
                targets.append(request.target)
                return targets.count == 2
            }
            return isSecond ? LoopbackServer.Reply(bytes: [], then: .close) : LoopbackServer.Reply(200)
        }
        let client = try client(server)
        for path in ["/one", "/two", "/three"] {
            #expect(try await client.send(HTTPRequest(url: server.url + path), as: .message).status == 200)
        }
        #expect(targets.withLock { $0 } == ["/one", "/two", "/two", "/three"])
    }

    @Test("what a request says itself replaces what every request says, and is forgotten with it")
    func ownHeaders() async throws {
        let server = try LoopbackServer { request in
            let seen = request.headers.filter { ["user-agent", "accept-encoding", "x-own"].contains($0.name) }
            return LoopbackServer.Reply(
                200, body: Array(seen.map { "\($0.name)=\($0.value)" }.joined(separator: ";").utf8))
        }
        let client = try client(server)
        func sees(_ headers: [(name: String, value: String)], as egress: EgressClass) async throws -> Set<Substring> {
            let answer = try await client.send(HTTPRequest(url: server.url, headers: headers), as: egress)
            return Set(String(decoding: answer.body, as: UTF8.self)[...].split(separator: ";"))
        }
        let always: Set<Substring> = ["user-agent=Pinpost/test", "accept-encoding=gzip, br"]
        #expect(try await sees([], as: .message) == always)
        let own = try await sees([("USER-AGENT", "other"), ("X-Own", "1")], as: .message)
        #expect(own == ["user-agent=other", "accept-encoding=gzip, br", "x-own=1"])
        #expect(try await sees([], as: .message) == always)
        #expect(try await sees([], as: pinry(server)) == ["user-agent=Pinpost/test"])
    }

    @Test("a POST whose connection breaks is not sent a second time")
    func noSilentRepeat() async throws {
        let posts = Atomic<Int>(0)
        let server = try LoopbackServer { request in
            guard request.method == "POST" else { return LoopbackServer.Reply(200) }
            posts.add(1, ordering: .relaxed)
            return LoopbackServer.Reply(bytes: [], then: .close)
        }
        let client = try HTTPClient()
        _ = try await client.send(HTTPRequest(url: server.url), as: pinry(server))
        let post = HTTPRequest(method: "POST", url: server.url, body: .bytes([1], contentType: "text/plain"))
        let error = await #expect(throws: HTTPExchangeError.self) { try await client.send(post, as: pinry(server)) }
        #expect(error?.code == .connectionLost && error?.mayHaveArrived == true)
        #expect(posts.load(ordering: .relaxed) == 1)
    }

    @Test(
        "half an answer is a lost connection that may have arrived",
        arguments: [
            "HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{\"id\"", "HTTP/1.1 201 Created\r\nContent-Len", "",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "nonsense without a status line\r\n\r\n",
        ])
    func truncated(_ text: String) async throws {
        for ending in [LoopbackServer.Reply.Ending.close, .reset] {
            let server = try LoopbackServer { _ in LoopbackServer.Reply(bytes: Array(text.utf8), then: ending) }
            let request = HTTPRequest(method: "POST", url: server.url)
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await HTTPClient().send(request, as: pinry(server))
            }
            #expect(error?.code == .connectionLost && error?.mayHaveArrived == true)
        }
    }

    @Test("nothing arrived where nobody listens or the name is unknown")
    func notArrived() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.Reply(200) }
        let client = try HTTPClient()
        server.stop()
        let cases: [(String, HTTPExchangeError.Code)] = [
            ("http://127.0.0.1:\(server.port)/", .connectFailed), ("http://no-such-host.invalid/", .unresolvedHost),
        ]
        for (url, code) in cases {
            let egress = EgressClass.pinry(Server(id: Server.ID("x"), baseURL: url, allowsPrivateNetwork: true))
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await client.send(HTTPRequest(url: url), as: egress)
            }
            #expect(error?.code == code && error?.mayHaveArrived == false)
        }
    }

    @Test("silence ends at the timeout, and the request may have arrived")
    func timeout() async throws {
        let asked = Atomic(0)
        let server = try LoopbackServer { _ in
            asked.add(1, ordering: .relaxed)
            return LoopbackServer.Reply(bytes: [], then: .hang)
        }
        var limit = Duration.milliseconds(150)
        var error: HTTPExchangeError?
        // A slow machine may use up the time before the request is on its way: then with more of it.
        repeat {
            let request = HTTPRequest(url: server.url, timeout: limit)
            error = await #expect(throws: HTTPExchangeError.self) {
                try await HTTPClient().send(request, as: pinry(server))
            }
            limit *= 4
        } while error?.mayHaveArrived == false && asked.load(ordering: .relaxed) == 0
        #expect(error?.code == .timedOut && error?.mayHaveArrived == true)
    }

    @Test("a cancelled task ends at once, before or after the request is on its way")
    func cancellation() async throws {
        let (arrived, signal) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in
            signal.yield()
            return LoopbackServer.Reply(bytes: [], then: .hang)
        }
        let client = try HTTPClient()
        let egress = pinry(server)
        let running = Task { try await client.send(HTTPRequest(url: server.url), as: egress) }
        for await _ in arrived { break }
        running.cancel()
        let late = await #expect(throws: HTTPExchangeError.self) { try await running.value }
        #expect(late?.code == .cancelled && late?.mayHaveArrived == true)

        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(HTTPRequest(url: server.url), as: egress)
        }
        let error = await #expect(throws: HTTPExchangeError.self) { try await early.value }
        #expect(error?.code == .cancelled && error?.mayHaveArrived == false)
    }

    @Test("an answer over the limit is cut off while it comes in, announced or not")
    func limit() async throws {
        let server = try LoopbackServer { request in
            let body = [UInt8](repeating: 65, count: 10_000)
            if request.target == "/length" { return LoopbackServer.Reply(200, body: body) }
            return LoopbackServer.Reply(bytes: Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body, then: .close)
        }
        for path in ["/length", "/open"] {
            let request = HTTPRequest(url: server.url + path, responseLimit: 9_999)
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await HTTPClient().send(request, as: pinry(server))
            }
            #expect(error?.code == .tooLarge)
        }
        let enough = HTTPRequest(url: server.url + "/length", responseLimit: 10_000)
        #expect(try await HTTPClient().send(enough, as: pinry(server)).body.count == 10_000)
    }

    @Test("a body over the server's limit still shows the server's 413")
    func refusedBody() async throws {
        let server = try LoopbackServer(bodyLimit: 1_000) { _ in LoopbackServer.Reply(200) }
        let request = HTTPRequest(
            method: "POST", url: server.url,
            body: .bytes([UInt8](repeating: 0, count: 3 << 20), contentType: "application/octet-stream"))
        #expect(try await HTTPClient().send(request, as: pinry(server)).status == 413)
    }

    @Test("a hundred requests at once all come back")
    func many() async throws {
        let server = try LoopbackServer { LoopbackServer.Reply(200, body: Array($0.target.utf8)) }
        let client = try HTTPClient()
        let egress = pinry(server)
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await client.send(HTTPRequest(url: "\(server.url)/\(number)"), as: egress)
                    return String(decoding: response.body, as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 100)
    }
}
