import PinpostCore
import Synchronization

/// A Pinry with a few accounts, at the port: what administration asks for, and nothing that delivers.
final class StandInPinry: PinryAPI {
    struct Person: Sendable {
        var username: String
        var boards: [Board] = []
    }

    private struct State {
        var people: [String: [String: Person]] = [:]
        var failure: PinryError?
        var questions = 0
        var meanwhile: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// How often anything was asked.
    var questions: Int { state.withLock { $0.questions } }

    /// Lets `token` be somebody at the server of that address.
    func admit(_ person: Person, token: String, at server: String = "http://pinry.example") {
        state.withLock { $0.people[server, default: [:]][token] = person }
    }

    /// From now on every question fails; nil ends that.
    func fail(with error: PinryError?) { state.withLock { $0.failure = error } }

    /// Does something while the next question waits for its answer.
    func meanwhile(_ action: @escaping @Sendable () async -> Void) { state.withLock { $0.meanwhile = action } }

    private func person(_ account: Account) throws(PinryError) -> Person? {
        let token = account.token?.withBytes { String(decoding: $0, as: UTF8.self) }
        let (failure, person) = state.withLock { state in
            state.questions += 1
            return (state.failure, token.flatMap { state.people[account.server.baseURL]?[$0] })
        }
        if let failure { throw failure }
        if token != nil, person == nil { throw PinryError(.tokenRejected, status: 401) }
        return person
    }

    func diagnose(_ account: Account, board: BoardChoice?) async throws(PinryError) -> Diagnosis {
        let action = state.withLock { state in
            defer { state.meanwhile = nil }
            return state.meanwhile
        }
        await action?()
        guard let person = try person(account) else { return Diagnosis(newestPin: PinID(40)) }
        var chosen: Board?
        switch board {
        case nil: break
        case .id(let id): chosen = person.boards.first { $0.id == id }
        case .name(let name): chosen = person.boards.first { $0.name == name }
        }
        if board != nil, chosen == nil { throw PinryError(.boardMissing) }
        return Diagnosis(username: person.username, board: chosen, boards: person.boards, newestPin: PinID(40))
    }

    func remove(_ pin: PinID, downTo floor: PinID, as account: Account) async throws(PinryError) -> PinRemoval {
        throw PinryError(.serverFailed, detail: "nothing is removed here")
    }

    func boards(as account: Account) async throws(PinryError) -> [Board] { try person(account)?.boards ?? [] }

    func pins(of board: BoardID?, limit: Int, as account: Account) async throws(PinryError) -> [RemotePin] {
        let username = try person(account)?.username ?? "public"
        let pin = RemotePin(
            id: PinID(7), image: nil, description: "a pin on \(board.map { String($0.rawValue) } ?? "any board")",
            source: nil, tags: [], isPrivate: false, username: username)
        return Array([pin].prefix(limit))
    }

    // Administration delivers nothing.
    func upload(_: PreparedPicture, named _: String, as _: Account) async throws(PinryError) -> UploadedImage {
        throw PinryError(.serverFailed)
    }
    func createPin(_: Pin, on _: ImageID, as _: Account) async throws(PinryError) -> PinID {
        throw PinryError(.serverFailed)
    }
    func createPin(
        _: Pin, with _: PreparedPicture, named _: String, board _: BoardID?, as _: Account
    ) async throws(PinryError) -> PinID? { throw PinryError(.serverFailed) }
    func findPin(on _: ImageID, downTo _: PinID, as _: Account) async throws(PinryError) -> PinID? { nil }
    func hasPin(_: PinID, as _: Account) async throws(PinryError) -> Bool { true }
    func newestPin(as _: Account) async throws(PinryError) -> PinID { PinID(40) }
    func add(_: [PinID], to _: BoardID, as _: Account) async throws(PinryError) { throw PinryError(.serverFailed) }
    func createBoard(named _: String, isPrivate _: Bool, as _: Account) async throws(PinryError) -> Board {
        throw PinryError(.serverFailed)
    }
}
