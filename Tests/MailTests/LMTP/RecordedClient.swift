import PinpostCore
import PinpostTesting

@testable import Mail

/// A client whose words are known beforehand, in pieces of any size, and that then goes.
///
/// `@unchecked Sendable` is safe: the connection's thread alone uses it, and whoever reads it waits for the end.
final class RecordedClient: LMTPStream, @unchecked Sendable {
    private var bytes: ArraySlice<UInt8>
    private let piece: Int
    private(set) var heard: [UInt8] = []

    init(_ bytes: [UInt8], piece: Int = .max) { (self.bytes, self.piece) = (bytes[...], piece) }

    func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant) -> LMTPReceived {
        guard !bytes.isEmpty else { return .closed }
        let part = bytes.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: part)
        bytes = bytes.dropFirst(part.count)
        return .bytes(part.count)
    }

    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        heard += bytes
        return true
    }

    func end(within limit: Duration) {}

    /// What a listener says to such a client, in lines.
    static func answers(
        to bytes: [UInt8], piece: Int = .max, at address: String = "pins@a.example", limits: LMTPLimits = LMTPLimits()
    ) async -> [String] {
        let room = OpenMailRoom()
        guard let addressing = MailAddressing(mailAddress: address) else { return [] }
        let intake = MailIntake(
            sink: room, directory: room, quarantine: room, blobs: room, addressing: addressing,
            surroundings: OpenMailRoom.surroundings)
        let client = RecordedClient(bytes, piece: piece)
        await LMTPConnection(client, intake: intake, limits: limits, logger: .silent, shutdown: Shutdown()).run()
        return String(decoding: client.heard, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }
}
