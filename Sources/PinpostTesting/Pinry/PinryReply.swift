import PinpostCore

/// An answer of the double; thrown where a check ends a request early.
struct PinryReply: Error {
    var status: Int
    var contentType: String?
    var headers: [(String, String)] = []
    var body: [UInt8] = []

    static func json(_ status: Int, _ value: JSONValue) -> PinryReply {
        PinryReply(status: status, contentType: "application/json", body: Array(value.rendered.utf8))
    }

    /// Django REST framework's errors, with the challenge that goes with 401.
    static func detail(_ status: Int, _ words: String) -> PinryReply {
        var reply = json(status, .object(["detail": .string(words)]))
        if status == 401 { reply.headers.append(("WWW-Authenticate", "Basic realm=\"api\"")) }
        return reply
    }

    /// Errors of one field.
    static func invalid(_ field: String, _ words: String) -> PinryReply {
        json(400, .object([.init(key: field, value: .strings([words]))]))
    }

    static func html(_ status: Int, _ text: String) -> PinryReply {
        PinryReply(status: status, contentType: "text/html", body: Array(text.utf8))
    }

    static let unknownPath = html(
        404, "<h1>Not Found</h1><p>The requested resource was not found on this server.</p>")
    static let serverError = html(500, "<h1>Server Error (500)</h1>")
    static let notFound = detail(404, "Not found.")
    static let notAllowed = detail(403, "You do not have permission to perform this action.")
    static let noCredentials = detail(401, "Authentication credentials were not provided.")

    /// Empty pages of Django's middleware.
    static func empty(_ status: Int, location: String? = nil) -> PinryReply {
        var reply = PinryReply(status: status, contentType: "text/html; charset=utf-8")
        if let location { reply.headers.append(("Location", location)) }
        return reply
    }

    /// Like gunicorn, one request a connection.
    var wire: LoopbackServer.Reply {
        var headers = headers
        if let contentType { headers.insert(("Content-Type", contentType), at: 0) }
        headers.append(("Set-Cookie", "csrftoken=double; Path=/; SameSite=Lax"))
        return LoopbackServer.Reply(status, headers, body: body, then: .close)
    }
}
