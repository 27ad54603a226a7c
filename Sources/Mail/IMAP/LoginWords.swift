internal import CurlKit

/// What a server said while it refused a login: wrong for good, or only busy.
struct LoginWords {
    private let error: StreamError

    init(_ error: StreamError) { self.error = error }

    /// Codes that waiting cures (RFC 5530 section 3, and what providers made up).
    private static let busyCodes: Set<String> = [
        "UNAVAILABLE", "INUSE", "SERVERBUG", "LIMIT", "THROTTLED", "OVERQUOTA", "CONTACTADMIN",
    ]
    /// Words of providers without codes.
    private static let busyWords = [
        "too many", "try again", "temporar", "overload", "throttl", "simultaneous", "not connected", "maintenance",
        "rate limit", "unavailable",
    ]

    var verdict: IMAPError {
        guard let line = error.serverWords.last(where: Self.isRefusal) else {
            return IMAPError(error.code == .loginRefused ? .loginRefused : .closed, error.detail)
        }
        let words = Self.words(of: line)
        let code = Self.responseCode(of: words)
        let isBusy =
            code.map(Self.busyCodes.contains)
            ?? Self.busyWords.contains { words.lowercased().contains($0) }
        let isLogin = error.code == .loginRefused
        return IMAPError(isBusy ? .busy : isLogin ? .loginRefused : .closed, words, responseCode: code)
    }

    /// `* BYE …`, `tag NO …`, `tag BAD …`.
    private static func isRefusal(_ line: String) -> Bool {
        let pieces = line.split(separator: " ", maxSplits: 2)
        return pieces.count >= 2 && ["NO", "BAD", "BYE"].contains(pieces[1].uppercased())
    }

    private static func words(of line: String) -> String {
        let pieces = line.split(separator: " ", maxSplits: 2)
        let text = pieces.count > 2 ? pieces[2] : pieces[1]
        return String(text.reversed().drop(while: \.isWhitespace).reversed())
    }

    private static func responseCode(of words: String) -> String? {
        guard words.hasPrefix("["), let end = words.firstIndex(of: "]") else { return nil }
        return words[words.index(after: words.startIndex)..<end].split(separator: " ").first.map { $0.uppercased() }
    }

    static func wantOAuth2(_ words: String) -> Bool {
        let words = words.lowercased()
        return ["basic auth", "basicauth", "oauth", "modern auth", "web browser", "webloginrequired"].contains {
            words.contains($0)
        }
    }

    static func wantAppPassword(_ words: String) -> Bool { words.lowercased().contains("specific password") }
}
