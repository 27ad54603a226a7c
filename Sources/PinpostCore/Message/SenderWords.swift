/// A reason as the sender of a message reads them, who may be anybody in a chat: the cause, but not how an admin mends it.
public enum SenderWords {
    /// By these a remedy is recognised: commands, their flags, settings.
    private static let marks = [
        "`pinpost ", "PINPOST_", "--token-file", "--api-base", "--ca-file", "--allow-private", "--dialect",
        "PUBLIC=True",
        "client_max_body_size",
    ]

    /// Whether the reason says what an admin can do.
    public static func isForAdmin(_ reason: String) -> Bool { isRemedy(reason) }

    private static func isRemedy(_ text: some StringProtocol) -> Bool { marks.contains { text.contains($0) } }

    /// The clauses before the first one that names such a remedy, and in its place whom to ask.
    public static func of(_ reason: String) -> String {
        let clauses = reason.split(separator: ";", omittingEmptySubsequences: false)
        guard let remedy = clauses.firstIndex(where: isRemedy) else { return reason }
        let cause = clauses[..<remedy].joined(separator: ";")
        return cause.isEmpty ? "ask whoever runs Pinpost" : "\(cause); ask whoever runs Pinpost"
    }
}
