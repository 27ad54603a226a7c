/// Refuses what different servers read in different ways: the library lets most of it pass (RFC 9112, 9110).
///
/// Bare line feeds, folded lines and NUL bytes never reach it: the library has already read them its way.
struct RequestGate: Sendable {
    let limits: ListenerLimits

    /// A request as the library saw it; names as sent.
    struct Candidate {
        var method: String
        var target: String
        var version: String
        var fields: [RequestHead.Field]
        var peer: String
    }

    func admit(_ candidate: Candidate) throws(Refusal) -> RequestHead {
        try checkSize(candidate)
        let fields = try candidate.fields.map { field throws(Refusal) in try Self.checked(field) }
        guard candidate.method.utf8.count <= 32, candidate.method.utf8.allSatisfy(Self.isTokenCharacter) else {
            throw Refusal(400, "The method is not a token.")
        }
        guard let target = RequestTarget(candidate.target) else {
            throw Refusal(400, "The request target has a wrong escape or is not a path.")
        }
        let head = Fields(fields)
        try Self.checkHost(head, version: candidate.version)
        for name in Self.singletons where head.values(name).count > 1 {
            throw Refusal(400, "More than one \(name).")
        }
        return RequestHead(
            method: candidate.method, target: target, fields: fields,
            bodyLength: try Self.bodyLength(head, version: candidate.version),
            expectsContinue: try Self.expectsContinue(head), peer: candidate.peer)
    }

    struct Refusal: Error {
        let status: Int
        let reason: String

        init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }

    private struct Fields {
        let fields: [RequestHead.Field]

        init(_ fields: [RequestHead.Field]) { self.fields = fields }

        func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    }

    private func checkSize(_ candidate: Candidate) throws(Refusal) {
        guard candidate.fields.count <= limits.headFields else {
            throw Refusal(431, "More than \(limits.headFields) header fields.")
        }
        let line = candidate.method.utf8.count + candidate.target.utf8.count + 12
        let bytes = candidate.fields.reduce(line) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
        guard bytes <= limits.headBytes else { throw Refusal(431, "The head is over \(limits.headBytes) bytes.") }
    }

    private static func checked(_ field: RequestHead.Field) throws(Refusal) -> RequestHead.Field {
        guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenCharacter) else {
            throw Refusal(400, "A header field has a wrong name.")
        }
        guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw Refusal(400, "A header field holds a control character.")
        }
        return RequestHead.Field(field.name.lowercased(), field.value)
    }

    /// Of which servers and proxies take different ones when there are two (RFC 9110 section 5.3).
    private static let singletons = ["authorization", "content-type", "content-encoding", "expect"]

    private static func checkHost(_ head: Fields, version: String) throws(Refusal) {
        let hosts = head.values("host").count
        guard hosts <= 1 else { throw Refusal(400, "More than one Host.") }
        guard hosts == 1 || version != "HTTP/1.1" else { throw Refusal(400, "Host is missing.") }
    }

    private static func bodyLength(_ head: Fields, version: String) throws(Refusal) -> RequestHead.BodyLength {
        let lengths = head.values("content-length")
        let codings = head.values("transfer-encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty else { throw Refusal(400, "Content-Length and Transfer-Encoding at once.") }
            guard version == "HTTP/1.1" else { throw Refusal(400, "Transfer-Encoding needs HTTP/1.1.") }
            guard codings.count == 1 else { throw Refusal(400, "More than one Transfer-Encoding.") }
            guard codings[0].lowercased() == "chunked" else {
                throw Refusal(501, "The only transfer coding here is chunked.")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, (1...18).contains(length.utf8.count),
            length.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let bytes = Int(length)
        else { throw Refusal(400, "Content-Length is not one number.") }
        return bytes == 0 ? .none : .known(bytes)
    }

    private static func expectsContinue(_ head: Fields) throws(Refusal) -> Bool {
        guard let expectation = head.values("expect").first else { return false }
        guard expectation.lowercased() == "100-continue" else {
            throw Refusal(417, "The only expectation here is 100-continue.")
        }
        return true
    }

    /// RFC 9110 section 5.6.2.
    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
