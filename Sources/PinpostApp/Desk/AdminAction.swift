import Synchronization

/// One thing that the command line asks for; it is done the same way beside a running daemon and alone.
///
/// The action is what travels over the socket; `perform` runs where the store is open.
protocol AdminAction: Codable, Sendable {
    associatedtype Answer: Codable & Sendable

    /// Names the action in a frame.
    static var name: String { get }
    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Answer
}

/// A body that comes after a request, in pieces: a mail, a picture.
protocol AdminBody: Sendable {
    /// The next piece; empty at the end.
    func next() async throws -> [UInt8]
}

/// No body at all.
struct NoBody: AdminBody {
    func next() async throws -> [UInt8] { [] }
}

/// Where actions are performed; the connection to it may be a socket or a plain call.
protocol AdminConnection: Sendable {
    func perform<Action: AdminAction>(_ action: Action, body: any AdminBody) async throws -> Action.Answer
    /// Runs `body` while messages are read and delivered.
    func delivering<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result
}

extension AdminConnection {
    func perform<Action: AdminAction>(_ action: Action) async throws -> Action.Answer {
        try await perform(action, body: NoBody())
    }
}

/// A body that is in memory.
final class BytesBody: AdminBody {
    private let rest: Mutex<[UInt8]>

    init(_ bytes: [UInt8]) { rest = Mutex(bytes) }

    func next() async throws -> [UInt8] {
        rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
    }
}
