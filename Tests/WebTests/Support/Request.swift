/// A request with a right Content-Length.
struct Request {
    var method = "POST"
    var path: String
    var host = "in.example"
    var fields: [(String, String)] = []
    var body: [UInt8] = []

    static func json(_ path: String, token: String? = nil, _ body: String) -> Request {
        var request = Request(path: path, body: Array(body.utf8))
        request.fields.append(("Content-Type", "application/json"))
        if let token { request.fields.append(("Authorization", "Bearer \(token)")) }
        return request
    }

    static func get(_ path: String, token: String? = nil) -> Request {
        var request = Request(method: "GET", path: path)
        if let token { request.fields.append(("Authorization", "Bearer \(token)")) }
        return request
    }

    func with(_ name: String, _ value: String) -> Request {
        var request = self
        request.fields.append((name, value))
        return request
    }

    var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        if method != "GET" { head += "Content-Length: \(body.count)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}

extension TestServer {
    func send(_ request: Request) async throws -> RawResponse? { try await send(request.bytes) }

    func status(_ request: Request) async throws -> Int? { try await send(request)?.status }
}
