import Administration
import FoundationEssentials
import Glibc
import PinpostCore

/// The next piece of what a message, or a mail in quarantine, was when it came.
struct ReadSource: AdminAction {
    static let name = "message.source"
    /// Bytes of one answer: as Base64 they fit into a frame.
    static let pieceLimit = 8 << 20

    var message: String?
    var heldMail: String?
    var offset: Int

    init(message: String, offset: Int) { (self.message, self.offset) = (message, offset) }
    init(heldMail: String, offset: Int) { (self.heldMail, self.offset) = (heldMail, offset) }

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Data {
        let bytes =
            if let heldMail {
                try await desk.quarantine.mail(heldMail).body
            } else {
                try await desk.quarantine.source(of: Message.ID(message ?? ""))
            }
        let (blobs, offset) = (desk.intake.blobs, offset)
        return try await desk.intake.pool.run {
            let reader = try blobs.open(bytes)
            let descriptor = try reader.descriptor()
            var piece = [UInt8](repeating: 0, count: min(Self.pieceLimit, max(bytes.count - offset, 0)))
            let count = piece.isEmpty ? 0 : pread(descriptor, &piece, piece.count, offset)
            guard count >= 0 else { throw StoreError(.unavailable, "the source cannot be read") }
            return Data(piece.prefix(count))
        }
    }
}

extension CommandContext {
    /// Writes a source to standard output, byte for byte.
    func writeSource(_ read: (Int) -> ReadSource) async throws {
        var offset = 0
        while true {
            let piece = try await perform(read(offset))
            guard !piece.isEmpty else { return }
            console.writeBytes(Array(piece))
            offset += piece.count
        }
    }
}
