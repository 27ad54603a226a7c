/// Whether a refusal is cured by waiting: the server is busy, throttles us, or is being mended.
enum BusyWords {
    /// RFC 5530 section 3, and what providers made up (Gmail: OVERQUOTA for bandwidth, Microsoft: THROTTLED).
    private static let busy: Set<String> = ["UNAVAILABLE", "INUSE", "LIMIT", "THROTTLED", "OVERQUOTA"]

    /// These say what is wrong, whatever words follow; others, such as ALERT, only say who should read the words.
    private static let definite: Set<String> = [
        "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "PRIVACYREQUIRED", "CONTACTADMIN", "NOPERM",
        "SERVERBUG", "CLIENTBUG", "CORRUPTION", "CANNOT", "PARSE", "EXPUNGEISSUED", "TRYCREATE", "NONEXISTENT",
        "ALREADYEXISTS", "BADCHARSET", "READ-ONLY", "TOOBIG", "UNKNOWN-CTE",
    ]

    private static let words = [
        "too many", "try again", "temporar", "overload", "throttl", "simultaneous", "not connected", "maintenance",
        "rate limit", "unavailable", "bandwidth",
    ]

    /// `code` is what stands in brackets before the words, in capitals.
    static func mean(code: String?, _ text: String) -> Bool {
        if let code {
            if busy.contains(code) { return true }
            if definite.contains(code) { return false }
        }
        let text = text.lowercased()
        return words.contains { text.contains($0) }
    }
}
