import Glibc
import PinpostCore

/// Bodies on the socket: frames of up to `pieceLimit` bytes, and an empty one at the end.
///
/// A sender that dies leaves a body without its end, which is an error and not a short body.
struct SocketBody: AdminBody {
    static let pieceLimit = 256 * 1024

    let socket: LocalSocket
    let pool: BlockingPool

    func next() async throws -> [UInt8] {
        let socket = socket
        let piece = try await pool.run { () throws(SystemFailure) in try socket.readFrame(limit: Self.pieceLimit) }
        guard let piece else { throw SystemFailure(code: ECONNRESET) }
        return piece
    }
}

/// The bytes of a descriptor, such as standard input.
final class FileBody: AdminBody {
    private let descriptor: CInt
    private let closes: Bool
    private let pool: BlockingPool

    init(_ descriptor: CInt, closes: Bool, pool: BlockingPool) {
        self.descriptor = descriptor
        self.closes = closes
        self.pool = pool
    }

    deinit { if closes { close(descriptor) } }

    func next() async throws -> [UInt8] {
        let descriptor = descriptor
        return try await pool.run { () throws(SystemFailure) in
            try ReadFile.piece(of: descriptor, upTo: SocketBody.pieceLimit)
        }
    }
}
