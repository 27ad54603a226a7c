public import FoundationEssentials

/// What Undo needs of the store.
public protocol UndoRecord: Sendable {
    /// Cancels every item of a message that waits or is parked, in one commit, and says how all stand after it.
    ///
    /// What is being worked on, is in doubt or replaces a pin stays as it is. A cancelled item keeps the number of a
    /// pin that it had made already: that is removed next, and `noteUndone` forgets it.
    func stopItems(of message: Message.ID, now: Date) async throws(StoreError) -> [Item]
    /// Notes that an item's pin is gone again: it is cancelled, and its page counts as new.
    func noteUndone(_ item: Item.ID, now: Date) async throws(StoreError)
    /// How many of a message's items were taken back since then: whose pin was removed, and who had none yet.
    func takenBack(of message: Message.ID, since: Date) async throws(StoreError) -> (pins: Int, others: Int)
}

/// Undo: takes back what became of a message, for the hook by which it came.
public struct PinUndo: Sendable {
    private let history: any MessageHistory
    private let record: any UndoRecord
    private let accounts: AccountBook
    private let pinry: any PinryAPI
    private let surroundings: Surroundings

    /// What a Pinry is given for one attempt.
    public static let patience = Duration.seconds(120)
    /// How long after a message arrived its pins can be taken back, in seconds.
    public static let limit: TimeInterval = 86_400

    public init(
        history: any MessageHistory, record: any UndoRecord, accounts: AccountBook, pinry: any PinryAPI,
        surroundings: Surroundings
    ) {
        self.history = history
        self.record = record
        self.accounts = accounts
        self.pinry = pinry
        self.surroundings = surroundings
    }

    public struct Result: Sendable, Hashable {
        /// What kind of answer it is.
        public enum Ending: Sendable {
            /// Something was taken back, or there is nothing to take back.
            case done
            case tooLate
            /// Another pin shows the same picture, and Pinry would remove it with the picture.
            case stayed
            /// The Pinry does not let us.
            case refused
            /// Another attempt may do more.
            case notNow
        }

        /// Why another attempt may do more.
        enum Hindrance: Sendable {
            /// A pin is being made at the moment.
            case work
            case pinryAway
        }

        public let text: String
        public let ending: Ending
        private let hindrance: Hindrance?

        /// As it is kept.
        public var outcome: UndoOutcome { UndoOutcome(text, isDone: ending != .refused && ending != .notNow) }
        /// Another attempt may do more.
        public var isWorthRepeating: Bool { ending == .notNow }
        /// The Pinry does not answer, or not in time.
        public var isPinryAway: Bool { hindrance == .pinryAway }

        init(_ text: String, _ ending: Ending) { (self.text, self.ending, hindrance) = (text, ending, nil) }

        init(_ text: String, hindrance: Hindrance) {
            (self.text, ending, self.hindrance) = (text, .notNow, hindrance)
        }

        public static let nothing = Result("There is nothing to undo.", .done)
        fileprivate static let away = Result(
            "The Pinry does not answer, so that not everything could be undone; ask once more later.",
            hindrance: .pinryAway)
    }

    public var now: Date { surroundings.now() }

    /// Whether a message's answer may offer it: something was pinned by the message itself.
    public static func isPossible(for items: [Item]) -> Bool { items.contains { $0.ownPin != nil } }

    /// Removes the message's own pins; a repeat finds nothing more to do.
    ///
    /// `askedAt` is what counts for the limit: whoever asked in time is not too late because a Pinry was away. Where an
    /// earlier attempt at the same wish may have done a part, `isRepeat`, that part is told as well. A Pinry that takes
    /// longer than `patience` is left alone, and what is not done stays for another attempt.
    public func undo(
        _ id: Message.ID, by hook: Hook, askedAt: Date, isRepeat: Bool = false,
        within patience: Duration = Self.patience
    ) async -> Result {
        await withTaskGroup(of: Result?.self) { group in
            group.addTask { await undoNow(id, by: hook, askedAt: askedAt, isRepeat: isRepeat) }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // The call under way ends at once; what the store knows by then is known to the next attempt.
            guard let late = await group.next() ?? nil, !late.isWorthRepeating else { return .away }
            return late
        }
    }

    private func undoNow(_ id: Message.ID, by hook: Hook, askedAt: Date, isRepeat: Bool) async -> Result {
        do {
            guard let message = try await history.message(id), message.tenant == hook.tenant,
                message.route == .hook(hook.id)
            else { return .nothing }
            guard askedAt.timeIntervalSince(message.receivedAt) <= Self.limit else {
                return Result("It is too late to undo this here; remove the pin in Pinry.", .tooLate)
            }
            guard message.state != .accepted else {
                return Result("It is being read at this moment; try again.", hindrance: .work)
            }
            var tally = Tally()
            if isRepeat {
                let earlier = try await record.takenBack(of: id, since: askedAt)
                (tally.removed, tally.cancelled) = (earlier.pins, earlier.others)
            }
            // Nothing new is made while the pins are removed, and what a crash leaves half done is found again.
            let stopped = Set(try await history.items(of: id).filter { $0.state == .cancelled }.map(\.id))
            for item in try await record.stopItems(of: id, now: surroundings.now()) {
                try await takeBack(item, wasStopped: stopped.contains(item.id), &tally)
            }
            return tally.result
        } catch let error as PinryError {
            switch error.remedy {
            case .retry, .reconcile: return .away
            default: return Result("Nothing more could be undone: \(error.description)", .refused)
            }
        } catch {
            return Result("It could not be undone now; try again in a moment.", hindrance: .work)
        }
    }

    private func takeBack(_ item: Item, wasStopped: Bool, _ tally: inout Tally) async throws {
        if let pin = item.ownPin {
            let account = try await accounts.account(of: item.tenant)
            let floor = item.facts.pinFloor ?? PinID(0)
            guard try await pinry.remove(pin, downTo: floor, as: account) == .removed else {
                return tally.shared += 1
            }
            try await record.noteUndone(item.id, now: surroundings.now())
            tally.removed += 1
        } else if item.state == .cancelled {
            if !wasStopped { tally.cancelled += 1 }
        } else if item.state != .done {
            tally.busy += 1
        }
    }
}

/// What an Undo came to.
private struct Tally {
    var removed = 0
    var cancelled = 0
    var shared = 0
    var busy = 0

    var result: PinUndo.Result {
        var words: [String] = []
        if removed > 0 { words.append(removed == 1 ? "The pin is removed." : "\(removed) pins are removed.") }
        if cancelled > 0 { words.append(cancelled == 1 ? "One was stopped." : "\(cancelled) were stopped.") }
        if shared > 0 { words.append("\(shared) stayed, because another pin shows the same picture.") }
        if busy > 0 { words.append("\(busy) are being pinned at this moment; try again.") }
        let text = words.isEmpty ? "There is nothing left to undo." : words.joined(separator: " ")
        if busy > 0 { return PinUndo.Result(text, hindrance: .work) }
        return PinUndo.Result(text, shared > 0 && removed + cancelled == 0 ? .stayed : .done)
    }
}

extension Item {
    /// Whether stopping it now leaves nothing behind that only its further steps would end.
    public var canBeStopped: Bool {
        (state == .ready || state == .parked) && ambiguousUntil == nil && !isReplacing
    }

    /// The pin that this item itself made and that no step works on; an earlier message's pin has no picture of ours.
    fileprivate var ownPin: PinID? {
        guard state.isFinal, !isReplacing, facts.image != nil else { return nil }
        return facts.pin
    }
}
