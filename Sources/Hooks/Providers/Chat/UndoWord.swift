internal import PinpostCore

/// What people type to take back what they sent last.
enum UndoWord {
    /// Whether the whole text says so, in any case, as a word or as a command.
    static func isAll(of text: String?) -> Bool {
        guard let text, text.utf8.count <= longest else { return false }
        let word = text.trimmed.lowercased().drop { $0 == "/" || $0 == "!" }
        return word.prefix { $0 != "." && $0 != "!" } == "undo" && word.dropFirst(4).count <= 1
    }

    /// In bytes.
    private static let longest = 64
    /// Where nothing better can be answered at once.
    static let receipt = "What you sent last is being taken back."
}
