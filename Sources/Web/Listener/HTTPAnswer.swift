/// A complete answer; bodies here are small.
public struct HTTPAnswer: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var status: Int
    public var fields: [Field]
    public var body: [UInt8]

    public init(_ status: Int, fields: [Field] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    public func field(_ name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

extension HTTPAnswer {
    /// A text body with its type; never cached, never guessed at.
    public init(_ status: Int, contentType: String, fields: [Field] = [], text: String) {
        let standard = [
            Field("Content-Type", contentType), Field("Cache-Control", "no-store"),
            Field("X-Content-Type-Options", "nosniff"),
        ]
        self.init(status, fields: standard + fields, body: Array(text.utf8))
    }

    /// The answer as bytes on the wire, for the moments at which the library cannot send one; it ends the connection.
    func wireForm() -> [UInt8] {
        var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    /// The reason phrase of RFC 9110 section 15.
    static func phrase(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 202: "Accepted"
        case 204: "No Content"
        case 303: "See Other"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Error"
        }
    }
}
