internal import PinpostCore

/// Where the sender of a message is told what became of it.
struct ReplyTarget: Sendable {
    /// Chat, message, thread …, by the provider's names; no secrets.
    var fields: [String: String]
    /// What opens the way back for a while: a response URL, an interaction token.
    ///
    /// It is kept sealed.
    var key: Secret?

    init(_ fields: [String: String] = [:], key: Secret? = nil) {
        self.fields = fields
        self.key = key
    }
}

/// What became of a message, for a chat.
struct ProviderReport {
    let message: Message.ID
    /// In words: pinned, already pinned, left out, failed and why; each pin with its link.
    let lines: [Line]
    /// Whether one of our own pins can be taken back by a button.
    let canUndo: Bool

    struct Line: Hashable {
        let text: String
        /// Of the pin.
        let url: String?
    }

    /// One line for each, links behind the words.
    var plainText: String {
        lines.map { line in line.url.map { "\(line.text) \($0)" } ?? line.text }.joined(separator: "\n")
    }
}

/// What became of an Undo.
struct UndoReport {
    /// The message that asked for it.
    let order: Message.ID
    /// Where it was asked for.
    let target: ReplyTarget
    /// For the person who asked.
    let text: String
    /// The pins are gone: the button may go as well.
    let isDone: Bool
}

extension UndoReport {
    init(_ outcome: UndoOutcome, of order: Message.ID, to target: ReplyTarget) {
        self.init(order: order, target: target, text: SenderWords.of(outcome.text), isDone: outcome.isDone)
    }
}

extension ProviderReport {
    /// What is said of an Undo, like any other answer.
    init(_ undo: UndoReport) {
        self.init(message: undo.order, lines: [Line(text: undo.text, url: nil)], canUndo: false)
    }
}
