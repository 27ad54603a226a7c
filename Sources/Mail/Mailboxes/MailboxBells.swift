internal import PinpostCore
internal import Synchronization

/// One bell for each mailbox that is watched now.
final class MailboxBells: Sendable {
    private let bells = Mutex<[WatchedMailbox.ID: Signal]>([:])

    func hang(_ mailbox: WatchedMailbox.ID) -> Signal {
        bells.withLock { bells in
            let bell = Signal()
            bells[mailbox] = bell
            return bell
        }
    }

    func remove(_ mailbox: WatchedMailbox.ID) { bells.withLock { $0[mailbox] = nil } }

    /// False when nobody watches.
    func ring(_ mailbox: WatchedMailbox.ID) -> Bool {
        guard let bell = bells.withLock({ $0[mailbox] }) else { return false }
        bell.fire()
        return true
    }
}
