internal import PinpostCore
internal import Synchronization

/// Wakes those who wait for a message to become final.
final class FinalWatch: Sendable {
    private struct Watched {
        let signal = Signal()
        var watchers = 0
    }

    private let messages = Mutex([Message.ID: Watched]())

    /// Starts watching; whoever does ends it with `leave`.
    func join(_ message: Message.ID) -> Signal {
        messages.withLock { messages in
            messages[message, default: Watched()].watchers += 1
            return messages[message, default: Watched()].signal
        }
    }

    func leave(_ message: Message.ID) {
        messages.withLock { messages in
            messages[message]?.watchers -= 1
            if messages[message]?.watchers == 0 { messages[message] = nil }
        }
    }

    func fire(_ message: Message.ID) { messages.withLock { $0[message]?.signal }?.fire() }
}
