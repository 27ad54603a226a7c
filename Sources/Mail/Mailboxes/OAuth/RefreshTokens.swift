internal import PinpostCore

/// The refresh tokens of all mailboxes that are in use: one request for each mailbox at a time, since the answer may make
/// the token of every other request void, and what the store could not take yet.
actor RefreshTokens {
    private struct Unsaved {
        let token: Secret
        /// What lies in the store: when that is another one, somebody has authorized the mailbox anew.
        let replaced: SealedSecret
    }

    private var unsaved: [WatchedMailbox.ID: Unsaved] = [:]
    /// Who waits for his turn; there is an entry while somebody has his.
    private var turns: [WatchedMailbox.ID: [CheckedContinuation<Void, Never>]] = [:]

    /// Returns when nobody else works with the token of this mailbox; `end` has to follow.
    func begin(_ mailbox: WatchedMailbox.ID) async {
        guard turns[mailbox] != nil else {
            turns[mailbox] = []
            return
        }
        await withCheckedContinuation { turns[mailbox, default: []].append($0) }
    }

    func end(_ mailbox: WatchedMailbox.ID) {
        guard var waiting = turns[mailbox], !waiting.isEmpty else {
            turns[mailbox] = nil
            return
        }
        let next = waiting.removeFirst()
        turns[mailbox] = waiting
        next.resume()
    }

    func hold(_ token: Secret, of mailbox: WatchedMailbox.ID, inPlaceOf stored: SealedSecret) {
        unsaved[mailbox] = Unsaved(token: token, replaced: stored)
    }

    /// The token that has yet to be stored, as long as `stored` is what it takes the place of.
    func held(of mailbox: WatchedMailbox.ID, inPlaceOf stored: SealedSecret) -> Secret? {
        guard let held = unsaved[mailbox] else { return nil }
        guard held.replaced.id == stored.id else {
            unsaved[mailbox] = nil
            return nil
        }
        return held.token
    }

    func isHolding(_ mailbox: WatchedMailbox.ID) -> Bool { unsaved[mailbox] != nil }

    func forget(_ mailbox: WatchedMailbox.ID) { unsaved[mailbox] = nil }
}
