internal import PinpostCore

/// What is answered at once in a chat to which nothing can be said later.
struct ChatReceipt {
    let files: Int
    let links: Int
    /// Why the files cannot be fetched; nil: they can.
    let obstacle: String?

    var text: String {
        guard let obstacle, files > 0 else { return Self.received }
        let missed = files == 1 ? "The file is left out" : "\(files) files are left out"
        return "\(links > 0 ? "\(Self.received) " : "Nothing is pinned. ")\(missed): \(SenderWords.of(obstacle))."
    }

    private static let received = "Received, and on its way to the board."
}
