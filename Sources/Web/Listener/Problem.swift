internal import PinpostCore

/// An error answer in the form of RFC 9457 (`application/problem+json`).
public struct Problem: Sendable {
    public var status: Int
    /// What to do about it, in a sentence; free of secrets.
    public var detail: String
    /// Where the sender can look further: `position` of a parse error, the accepted types …; values are JSON.
    public var extensions: [(name: String, json: String)]

    public init(_ status: Int, _ detail: String, extensions: [(name: String, json: String)] = []) {
        self.status = status
        self.detail = detail
        self.extensions = extensions
    }

    private var json: String {
        var text = "{\"type\":\"about:blank\",\"title\":\(JSONText.quote(HTTPAnswer.phrase(status)))"
        text += ",\"status\":\(status),\"detail\":\(JSONText.quote(detail))"
        for member in extensions { text += ",\(JSONText.quote(member.name)):\(member.json)" }
        return text + "}\n"
    }

    public func answer(fields: [HTTPAnswer.Field] = []) -> HTTPAnswer {
        HTTPAnswer(status, contentType: "application/problem+json", fields: fields, text: json)
    }
}
