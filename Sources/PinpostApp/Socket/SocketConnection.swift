import Glibc
import PinpostCore

/// Performs actions in the running daemon.
struct SocketConnection: AdminConnection {
    private let path: String
    private let pool: BlockingPool

    /// How long the daemon may take for one answer, in seconds.
    private static let deadline = 120

    /// nil when no daemon listens at `path`.
    static func open(_ path: String, pool: BlockingPool) async throws -> SocketConnection? {
        try await connect(to: path, pool) == nil ? nil : SocketConnection(path: path, pool: pool)
    }

    /// Waits when the daemon has many clients.
    private static func connect(to path: String, _ pool: BlockingPool) async throws -> LocalSocket? {
        do {
            let socket = try await pool.run { () throws(SystemFailure) in
                try LocalSocket.connect(to: path, deadline: deadline)
            }
            guard let peer = socket.peer, peer == geteuid() || peer == 0 || geteuid() == 0 else {
                throw Failure(
                    "foreign_daemon", "The process that listens at \(path) belongs to another user.", exit: .notAllowed)
            }
            return socket
        } catch let error as SystemFailure {
            switch error.code {
            case ENOENT, ECONNREFUSED, ENOTDIR: return nil
            case EACCES, EPERM:
                throw Failure("not_allowed", "The daemon's socket \(path) is another user's.", exit: .notAllowed)
            default:
                throw Failure("daemon", "The daemon at \(path) cannot be reached (\(error.reason)).", exit: .tryLater)
            }
        }
    }

    func perform<Action: AdminAction>(_ action: Action, body: any AdminBody) async throws -> Action.Answer {
        guard let socket = try await Self.connect(to: path, pool) else { throw Self.broken("it has stopped") }
        let request = try AdminFrame.encode(Request(arguments: action))
        do {
            try await send(request, then: body, to: socket)
            let reply = try AdminFrame.decode(Reply<Action.Answer>.self, from: await receive(from: socket))
            if let failure = reply.failure { throw failure }
            guard let answer = reply.answer else { throw Self.broken("it gave no answer") }
            return answer
        } catch let error as SystemFailure {
            throw Self.broken(error.code == EAGAIN ? "it took too long" : error.reason)
        }
    }

    private func send(_ request: [UInt8], then body: any AdminBody, to socket: LocalSocket) async throws {
        guard try await write(request, to: socket) else { return }
        while true {
            let piece = try await body.next()
            guard try await write(piece, to: socket), !piece.isEmpty else { return }
        }
    }

    /// False when the daemon does not read on: it may refuse before it has seen the whole body, and its answer is there.
    private func write(_ frame: [UInt8], to socket: LocalSocket) async throws -> Bool {
        try await pool.run {
            do throws(SystemFailure) {
                try socket.writeFrame(frame)
                return true
            } catch {
                guard error.code == EPIPE || error.code == ECONNRESET else { throw error }
                return false
            }
        }
    }

    private func receive(from socket: LocalSocket) async throws(SystemFailure) -> [UInt8] {
        let frame = try await pool.run { () throws(SystemFailure) in try socket.readFrame(limit: AdminFrame.limit) }
        guard let frame else { throw SystemFailure(code: ECONNRESET) }
        return frame
    }

    private static func broken(_ cause: String) -> Failure {
        Failure("daemon", "The daemon did not answer (\(cause)); look at its log and try again.", exit: .tryLater)
    }

    func delivering<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        try await body()
    }
}
