import FoundationEssentials
public import PinpostCore

extension RemotePinry {
    /// Pins that Pinry takes in one board call.
    private static let batchLimit = 10
    private static let boardPageSize = 100
    private static let boardPageLimit = 100

    public func add(_ pins: [PinID], to board: BoardID, as account: Account) async throws(PinryError) {
        guard (1...Self.batchLimit).contains(pins.count) else {
            throw PinryError(.pinRejected, detail: "a board takes 1 to \(Self.batchLimit) pins at once")
        }
        let change = Wire.BoardChange(pinsToAdd: pins.map(\.rawValue))
        let call = PinryCall(.addToBoard, "PATCH", "boards/\(board.rawValue)/", json: change)
        _ = try await answer(to: call, as: account, expecting: 200, Wire.Board.self)
        try await confirm(pins, on: board, as: account)
    }

    /// Pinry says 200 and adds nothing for pins that are gone: what counts is what the board shows.
    private func confirm(_ pins: [PinID], on board: BoardID, as account: Account) async throws(PinryError) {
        var missing = Set(pins.map(\.rawValue))
        let floor = missing.min() ?? 0
        var reading = NewestPins(floor: floor - 1)
        while !missing.isEmpty {
            let query = [("pins__id", "\(board.rawValue)"), ("limit", "50"), ("offset", "\(reading.offset)")]
            let page = try await answer(
                to: .get("pins/", query), as: account, expecting: 200, Wire.Page<Wire.Pin>.self)
            let ids = page.results.compactMap(\.id)
            missing.subtract(ids)
            if ids.contains(where: { $0 < floor }) { break }
            if reading.isFinished(after: page, size: 50, overlap: 10) { break }
        }
        guard missing.isEmpty else {
            let names = missing.sorted().map(String.init).joined(separator: ", ")
            throw PinryError(
                .pinRejected, status: 200, detail: "pin \(names) did not get onto the board; is it deleted?")
        }
    }

    public func boards(as account: Account) async throws(PinryError) -> [Board] {
        if account.server.dialect == .pinrysaver { return [] }
        let username: String?
        if let known = account.username { username = known } else { username = try await profile(as: account) }
        guard let username else { return [] }
        return try await boards(of: username, as: account)
    }

    func boards(of username: String, as account: Account) async throws(PinryError) -> [Board] {
        var boards: [Board] = []
        var offset = 0
        for _ in 0..<Self.boardPageLimit {
            let query = [
                ("submitter__username", username), ("limit", "\(Self.boardPageSize)"), ("offset", "\(offset)"),
            ]
            let page = try await answer(
                to: .get("boards/", query), as: account, expecting: 200, Wire.Page<Wire.Board>.self)
            for board in page.results.compactMap({ $0.board(ownedBy: username) })
            where !boards.contains(where: { $0.id == board.id }) {
                boards.append(board)
            }
            offset += page.results.count
            if page.results.isEmpty || page.next == nil { return boards }
        }
        return boards
    }

    public func createBoard(
        named name: String, isPrivate: Bool, as account: Account
    ) async throws(PinryError) -> Board {
        if account.server.dialect == .pinrysaver {
            throw PinryError(.forbidden, detail: "the pinrysaver dialect has no call for boards")
        }
        let call = PinryCall(.createBoard, "POST", "boards/", json: Wire.NewBoard(name: name, private: isPrivate))
        do throws(PinryError) {
            let made = try await answer(to: call, as: account, expecting: 201, Wire.Board.self)
            guard let id = made.id else { throw PinryError(.serverFailed, detail: "the answer has no board id") }
            return Board(id: BoardID(id), name: made.name ?? name, isPrivate: made.private ?? isPrivate)
        } catch {
            guard error.code == .pinRejected else { throw error }
            // It may be there already, perhaps made by ourselves with an answer that got lost.
            let own = try await boards(as: account)
            guard let board = own.first(where: { $0.name == name }) else { throw error }
            return board
        }
    }
}
