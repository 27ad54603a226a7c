/// The word by which a chat knows that a message is for us; it is no word of the pin.
enum TriggerWord {
    static func removed(_ word: String, from text: String) -> String {
        guard !word.isEmpty, text.hasPrefix(word) else { return text }
        let rest = text.dropFirst(word.count)
        guard let next = rest.first else { return "" }
        return next.isWhitespace || next == ":" ? String(rest.drop { $0.isWhitespace || $0 == ":" }) : text
    }
}
