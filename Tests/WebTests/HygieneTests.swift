import Testing
import Web

@Suite("What a request may look like", .timeLimit(.minutes(10)))
struct HygieneTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        let status: Int
        var testDescription: String { name }
    }

    /// The table of RFC 9112 traps: what servers read in different ways is refused, and the connection closed.
    static let refused: [Case] = [
        Case(
            name: "two different Content-Length",
            request: post("Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), status: 400),
        Case(
            name: "two equal Content-Length",
            request: post("Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc"), status: 400),
        Case(
            name: "a list as Content-Length", request: post("Content-Length: 3, 3\r\n\r\nabc"), status: 400),
        Case(
            name: "Content-Length and chunked",
            request: post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), status: 400),
        Case(name: "Content-Length with a sign", request: post("Content-Length: +3\r\n\r\nabc"), status: 400),
        Case(name: "Content-Length in hex", request: post("Content-Length: 0x3\r\n\r\nabc"), status: 400),
        Case(name: "Content-Length over 64 bits", request: post("Content-Length: \(nines)\r\n\r\n"), status: 413),
        Case(
            name: "an unknown transfer coding",
            request: post("Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"), status: 501),
        Case(
            name: "gzip before chunked",
            request: post("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"), status: 501),
        Case(
            name: "Transfer-Encoding twice",
            request: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), status: 400),
        Case(
            name: "a space before the colon",
            request: post("Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"), status: 400),
        Case(
            name: "a chunk size with 0x",
            request: post("Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n"), status: 400),
        Case(name: "no Host", request: "GET / HTTP/1.1\r\n\r\n", status: 400),
        Case(name: "two Hosts", request: "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", status: 400),
        Case(
            name: "HTTP/1.0 with chunked",
            request: "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", status: 400),
        Case(name: "a bare CR in a value", request: get("X: a\rb\r\n\r\n"), status: 400),
        Case(name: "a control character in a value", request: get("X: a\u{1}b\r\n\r\n"), status: 400),
        Case(name: "DEL in a value", request: get("X: a\u{7F}b\r\n\r\n"), status: 400),
        Case(name: "a field name with a slash", request: get("X/Y: a\r\n\r\n"), status: 400),
        Case(
            name: "101 fields", request: get((0..<100).map { "X-\($0): y\r\n" }.joined() + "\r\n"), status: 431),
        Case(
            name: "a head over 16 KiB",
            request: get("X: \(String(repeating: "a", count: 16_384))\r\n\r\n"), status: 431),
        Case(
            name: "a head over 64 KiB",
            request: get("X: \(String(repeating: "a", count: 65_536))\r\n\r\n"), status: 431),
        Case(name: "an unknown expectation", request: post("Expect: more\r\n\r\n"), status: 417),
        Case(name: "a broken escape in the path", request: "GET /a%2 HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "an escaped slash in the path", request: "GET /a%2Fb HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "NUL in the path", request: "GET /a%00 HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
        Case(name: "a target that is no path", request: "GET a HTTP/1.1\r\nHost: a\r\n\r\n", status: 400),
    ]

    private static let nines = String(repeating: "9", count: 30)

    private static func post(_ rest: String) -> String { "POST /x HTTP/1.1\r\nHost: a\r\n" + rest }
    private static func get(_ rest: String) -> String { "GET /x HTTP/1.1\r\nHost: a\r\n" + rest }

    @Test("is refused and the connection closed", arguments: refused)
    func refuses(_ example: Case) async throws {
        try await withServer { server in
            let answer = try await server.withClient { client in
                // What follows would be a smuggled request.
                client.send(example.request + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
                return try client.rest()
            }
            #expect(answer.hasPrefix("HTTP/1.1 \(example.status) "), "\(answer.prefix(200))")
            #expect(!answer.contains("smuggled"))
        }
    }

    @Test(
        "is accepted in all forms that mean one thing only",
        arguments: [
            ("GET /a/b?c=d HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a/b 0"),
            ("GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n", "GET /b 0"),
            ("GET /%C3%A4+x HTTP/1.1\r\nHost: a\r\n\r\n", "GET /ä+x 0"),
            ("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "POST /x 3"),
            (
                "POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n2;a=b\r\nde\r\n0\r\n\r\n",
                "POST /x 5"
            ),
            ("POST /x HTTP/1.1\r\nHost: a\r\ncontent-length:0\r\n\r\n", "POST /x 0"),
            ("GET /x HTTP/1.0\r\nHost: a\r\n\r\n", "GET /x 0"),
        ])
    func accepts(_ request: String, _ echo: String) async throws {
        try await withServer { server in
            let answer = try #require(try await server.send(request))
            #expect(answer.status == 200)
            #expect(answer.body == echo)
        }
    }

    @Test("pipelined requests are answered in order on one connection")
    func pipelining() async throws {
        try await withServer { server in
            let answer = try await server.withClient { client in
                let requests = (0..<50).map { number in
                    let length = "\(number)".utf8.count
                    return "POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(number)"
                }
                client.send(requests.joined() + "GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return try client.rest()
            }
            let echoes = answer.split(separator: "\r\n\r\n").dropFirst().map { $0.split(separator: "HTTP/1.1")[0] }
            #expect(echoes.map(String.init) == (0..<50).map { "POST /\($0) \("\($0)".utf8.count)" } + ["GET /end 0"])
        }
    }

    @Test("a refused small body is read to its end, so that the connection goes on")
    func refusalKeepsTheConnection() async throws {
        try await withServer { server in
            let statuses = try await server.withClient { client in
                var statuses: [Int] = []
                for _ in 0..<3 {
                    client.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd")
                    statuses.append(try client.response()?.status ?? 0)
                }
                return statuses
            }
            #expect(statuses == [401, 401, 401])
        }
    }
}
