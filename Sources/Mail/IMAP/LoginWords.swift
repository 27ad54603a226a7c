internal import CurlKit

/// What a server said while it refused a login: wrong for good, or only busy.
struct LoginWords {
    private let error: StreamError

    init(_ error: StreamError) { self.error = error }

    var verdict: IMAPError {
        guard let line = error.serverWords.last(where: Self.isRefusal) else {
            return IMAPError(error.code == .loginRefused ? .loginRefused : .closed, error.detail)
        }
        let words = Self.words(of: line)
        let code = Self.responseCode(of: words)
        let isLogin = error.code == .loginRefused
        // A server that is broken at the door may be mended; later it may be one mail's fault.
        let isBusy = code == "SERVERBUG" || BusyWords.mean(code: code, words)
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
