/// Our own answers come back from chats that do not say who wrote a message.
enum OwnAnswer {
    /// Nobody types it, and nobody sees it (U+2063, INVISIBLE SEPARATOR, twice).
    private static let mark = "\u{2063}\u{2063}"

    static func marked(_ text: String) -> String { mark + text }

    static func isMarked(_ text: String) -> Bool { text.hasPrefix(mark) }
}
