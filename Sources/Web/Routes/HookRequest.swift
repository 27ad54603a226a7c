/// What the head of a hook request asks for, checked.
struct HookRequest: Sendable {
    static let longestWait = 60
    static let longestKey = 255

    let contentType: String?
    /// Repeats of one delivery carry the same key.
    let idempotencyKey: String?
    /// How long to wait for the pins; nil: answer at once.
    let wait: Duration?
    /// A page of a browser was sent here by a form: it wants a page to show.
    let isNavigation: Bool

    init(_ head: RequestHead) throws(ProblemError) {
        contentType = head.field("content-type")
        idempotencyKey = try Self.key(head)
        wait = try Self.wait(head)
        isNavigation = head.field("sec-fetch-mode") == "navigate" && head.field("sec-fetch-dest") == "document"
        if let coding = head.field("content-encoding"), coding.lowercased() != "identity" {
            let identity = HTTPAnswer.Field("Accept-Encoding", "identity")
            throw ProblemError(Problem(415, "The body must not be compressed."), fields: [identity])
        }
    }

    private static func key(_ head: RequestHead) throws(ProblemError) -> String? {
        let keys = head.fields.filter { $0.name == "idempotency-key" }.map(\.value)
        guard let key = keys.first.map(unquoted) else { return nil }
        guard keys.count == 1, (1...longestKey).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw ProblemError(
                Problem(400, "Idempotency-Key has to be one text of 1 to \(longestKey) printable ASCII characters."))
        }
        return key
    }

    /// The text of a structured-field string (RFC 8941 section 3.3.3); most clients send it without quotes.
    private static func unquoted(_ text: String) -> String {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var plain = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                plain.append(character)
                isEscaped = false
            }
        }
        return plain
    }

    private static func wait(_ head: RequestHead) throws(ProblemError) -> Duration? {
        guard let text = head.target.queryItem("wait") else { return nil }
        guard let seconds = Int(text), (0...longestWait).contains(seconds) else {
            throw ProblemError(Problem(400, "`wait` has to be a number of seconds from 0 to \(longestWait)."))
        }
        return .seconds(seconds)
    }
}

/// A problem that ends the work on a request.
struct ProblemError: Error {
    let answer: HTTPAnswer

    init(_ answer: HTTPAnswer) { self.answer = answer }

    init(_ problem: Problem, fields: [HTTPAnswer.Field] = []) { answer = problem.answer(fields: fields) }
}
