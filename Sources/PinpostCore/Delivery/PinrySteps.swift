import FoundationEssentials

/// `upload`, `pin` and `board`: one call each, with a commit by the caller in between.
public struct PinrySteps: Sendable {
    private let pinry: any PinryAPI
    private let accounts: AccountBook
    private let boards: BoardCatalog
    private let surroundings: Surroundings

    /// How old the knowledge may be that a board is public, in seconds.
    private static let boardAge: TimeInterval = 300

    public init(pinry: any PinryAPI, accounts: AccountBook, boards: BoardCatalog, surroundings: Surroundings) {
        self.pinry = pinry
        self.accounts = accounts
        self.boards = boards
        self.surroundings = surroundings
    }

    /// What a step learnt, and which one comes next.
    public struct Progress: Sendable {
        public let next: Item.Step
        public let facts: StepFacts
        /// A pin id that exists: no later pin has a lower one.
        public let newestPin: PinID?

        init(next: Item.Step, facts: StepFacts, newestPin: PinID?) {
            self.next = next
            self.facts = facts
            self.newestPin = newestPin
        }
    }

    /// Sends the picture; its id can be used for exactly one pin.
    public func upload(_ item: Item, to server: Server) async throws -> Progress {
        let account = try await account(of: item)
        // The floor has to be known before the image exists: our pin can only be newer.
        let floor = server.newestPin.rawValue > 0 ? server.newestPin : try await pinry.newestPin(as: account)
        let picture = try picture(of: item)
        let image = try await send(picture, to: account.server) { () throws(PinryError) in
            try await pinry.upload(picture, named: Self.fileName(of: item), as: account)
        }
        return Progress(
            next: .pin, facts: .uploaded(image.id, floor: floor, thumbnail: image.thumbnail), newestPin: floor)
    }

    /// Makes the pin, or finds the one that an earlier attempt may have made.
    public func pin(_ item: Item) async throws -> Progress {
        let account = try await account(of: item)
        guard let image = item.facts.image else { throw StepFailure(.uploadAgain, "the upload is not known") }
        if item.ambiguousUntil != nil {
            let floor = item.facts.pinFloor ?? PinID(0)
            guard let pin = try await pinry.findPin(on: image, downTo: floor, as: account) else {
                return Progress(next: .pin, facts: .notPinned, newestPin: nil)
            }
            return progress(of: item, pin, board: try await target(of: item, as: account)?.board)
        }
        let target = try await target(of: item, as: account)
        let pin = try await pinry.createPin(pin(of: item, on: target), on: image, as: account)
        return progress(of: item, pin, board: target?.board)
    }

    /// Dialect `pinrysaver`: everything in one call; an answer that is lost leaves a doubt that nobody can clear.
    public func pinAtOnce(_ item: Item) async throws -> Progress {
        let account = try await account(of: item)
        let doubt = StepFailure(.park, "It may be pinned: the answer was lost. Check before you retry.")
        guard item.ambiguousUntil == nil else { throw doubt }
        let board = try item.draft.destination.existingBoard
        let picture = try picture(of: item)
        do {
            let made = try await send(picture, to: account.server) { () throws(PinryError) in
                try await pinry.createPin(
                    pin(of: item, on: nil), with: picture, named: Self.fileName(of: item), board: board, as: account)
            }
            return Progress(next: .done, facts: .pinned(made, board: board), newestPin: nil)
        } catch let error as PinryError where error.remedy == .reconcile {
            throw doubt
        }
    }

    /// Makes the call that carries the picture; what the server finds too large is made smaller first.
    private func send<Answer: Sendable>(
        _ picture: PreparedPicture, to server: Server, by call: () async throws(PinryError) -> Answer
    ) async throws -> Answer {
        let count = picture.bytes.count
        if let limit = server.uploadLimit, count > limit {
            throw StepFailure(.makeSmaller(serverTakes: limit), PinryError(.imageTooLarge).description)
        }
        do {
            return try await call()
        } catch {
            guard error.code == .imageTooLarge, let limit = UploadLimit.below(refused: count) else { throw error }
            throw StepFailure(.makeSmaller(serverTakes: limit), error.description)
        }
    }

    /// What comes after the pins: their board, then the end of those that they replace; safe to repeat.
    ///
    /// The notes say what could not be done.
    public func conclude(_ items: [Item]) async throws -> [Item.ID: String] {
        var notes = try await addToBoard(items.filter { $0.facts.pin != nil })
        for item in items where item.facts.pin == nil {
            notes[item.id] = "The pin was deleted in Pinry before it was on its board."
        }
        for item in items {
            guard let note = try await removeReplaced(by: item) else { continue }
            notes[item.id] = [notes[item.id], note].compactMap(\.self).joined(separator: " ")
        }
        return notes
    }

    /// nil where there is nothing to say.
    private func removeReplaced(by item: Item) async throws -> String? {
        guard let replacement = item.draft.replacement, item.facts.pin != nil, item.facts.pin != replacement.pin else {
            return nil
        }
        let account = try await account(of: item)
        do {
            switch try await pinry.remove(replacement.pin, downTo: replacement.floor, as: account) {
            case .removed: return nil
            case .sharesItsPicture:
                return "Pin \(replacement.pin) stays: another pin shows its picture and would go with it."
            }
        } catch {
            guard error.remedy == .parkItem else { throw error }
            return "Pin \(replacement.pin) could not be removed: \(error.description)"
        }
    }

    /// Puts the pins of one board there, in one call; safe to repeat.
    ///
    /// What cannot be put there stays pinned: the notes say why. One that is refused does not spoil it for the others.
    private func addToBoard(_ items: [Item]) async throws -> [Item.ID: String] {
        guard let first = items.first, let board = first.facts.board else { return [:] }
        let account = try await account(of: first)
        guard let note = try await add(items, to: board, as: account) else { return [:] }
        guard items.count > 1 else { return [first.id: note] }
        var notes: [Item.ID: String] = [:]
        for item in items { notes[item.id] = try await add([item], to: board, as: account) }
        return notes
    }

    private func add(_ items: [Item], to board: BoardID, as account: Account) async throws -> String? {
        do {
            try await pinry.add(items.compactMap(\.facts.pin), to: board, as: account)
            return nil
        } catch {
            // The pin is there and stays; only its board may not be to be had.
            guard error.remedy == .parkItem else { throw error }
            return error.description
        }
    }

    private func progress(of item: Item, _ pin: PinID, board: BoardID?) -> Progress {
        let isComplete = board == nil && item.draft.replacement == nil
        return Progress(next: isComplete ? .done : .board, facts: .pinned(pin, board: board), newestPin: pin)
    }

    private func account(of item: Item) async throws -> Account {
        let account = try await accounts.account(of: item.tenant)
        guard account.token != nil else { throw PinryError(.tokenMissing) }
        return account
    }

    private func picture(of item: Item) throws -> PreparedPicture {
        guard let picture = item.facts.picture else { throw StepFailure(.park, "The prepared picture is missing.") }
        return picture
    }

    /// Where the pin goes, with what is known of the board at this moment.
    private struct Target {
        let board: BoardID
        let isPrivate: Bool
    }

    /// A new board is made here, since only this lane may write to Pinry; one that is gone is found out by `addToBoard`.
    private func target(of item: Item, as account: Account) async throws -> Target? {
        switch item.draft.destination {
        case .none: return nil
        case .board(let id):
            let own = try await boards.boards(
                of: item.tenant, notOlderThan: Self.boardAge, now: surroundings.now())
            return Target(board: id, isPrivate: own.first { $0.id == id }?.isPrivate ?? false)
        case .newBoard(let name):
            let board = try await pinry.createBoard(named: name, isPrivate: item.draft.isPrivate, as: account)
            _ = try await boards.refresh(item.tenant, now: surroundings.now())
            return Target(board: board.id, isPrivate: board.isPrivate)
        }
    }

    /// A public pin in a private board would stay public, so the board decides.
    private func pin(of item: Item, on target: Target?) -> Pin {
        let draft = item.draft
        return Pin(
            description: draft.description, source: draft.source, tags: draft.tags,
            isPrivate: draft.isPrivate || target?.isPrivate == true)
    }

    /// Our own ASCII name, so that a person can trace an image on Pinry's disk.
    private static func fileName(of item: Item) -> String {
        "\(item.id)-\(item.sequence).\(item.facts.picture?.type.fileExtension ?? "jpg")"
    }
}

extension PinDraft.Destination {
    /// For a dialect that cannot make boards.
    fileprivate var existingBoard: BoardID? {
        get throws {
            switch self {
            case .none: return nil
            case .board(let id): return id
            case .newBoard(let name):
                throw StepFailure(.park, "This server's dialect cannot make the board “\(name)”.")
            }
        }
    }
}
