internal import Cryptography
internal import PinpostCore

/// The names under which the store knows what a hook's deliveries have in common: hashes, of that hook alone.
struct HookKeys {
    let hook: Hook.ID

    func delivery(_ id: String) -> [UInt8] { key("delivery", id) }
    func album(_ name: String) -> [UInt8] { key("album", name) }
    func author(_ name: String) -> [UInt8] { key("author", name) }
    func thread(_ name: String) -> [UInt8] { key("thread", name) }

    /// nil for a delivery that takes nothing back, and where nobody can say whose it is.
    func target(of delivery: ProviderVerdict.Delivery) -> UndoTarget? {
        switch (delivery.undo, delivery.author.map(author)) {
        case (.message(let message), _): .message(message)
        case (.delivery(let id), let author?): .delivery(key: self.delivery(id), author: author)
        case (.newest, let author?):
            .newest(
                author: author, thread: delivery.thread.map(thread), answered: delivery.answered.map(self.delivery))
        default: nil
        }
    }

    private func key(_ kind: String, _ name: String) -> [UInt8] { SHA256.hash("\(hook)\n\(kind)\n\(name)") }
}
