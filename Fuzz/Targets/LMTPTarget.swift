import FoundationEssentials
import PinpostCore
import PinpostTesting

@testable import Mail

/// All that a client of LMTP says: its commands, and the mails behind DATA.
enum LMTPTarget {
    /// What is answered does not depend on where the bytes were cut.
    static func run(_ bytes: [UInt8]) {
        let whole = answers(to: bytes, piece: .max)
        let cut = answers(to: bytes, piece: bytes.count % 61 + 1)
        precondition(whole == cut, "pieces of \(bytes.count % 61 + 1) bytes are answered differently")
    }

    private static let intake: MailIntake? = {
        let room = OpenMailRoom()
        return MailAddressing(mailAddress: "pins@a.example").map {
            MailIntake(
                sink: room, directory: room, quarantine: room, blobs: room, addressing: $0,
                surroundings: OpenMailRoom.surroundings)
        }
    }()

    /// Small, so that short inputs reach them.
    private static let limits: LMTPLimits = {
        var limits = LMTPLimits()
        (limits.messageBytes, limits.recipients, limits.boardsOfAddress) = (300, 4, 2)
        (limits.commandBytes, limits.commands, limits.mistakes) = (120, 30, 8)
        return limits
    }()

    /// One for all sessions: to start one takes longer than most of them.
    private static let thread = ThreadExecutor()

    private static func answers(to bytes: [UInt8], piece: Int) -> [UInt8] {
        guard let intake else { return [] }
        let client = RecordedClient(bytes, piece: piece)
        let connection = LMTPConnection(
            client, intake: intake, limits: limits, logger: .silent, shutdown: Shutdown(), on: thread)
        let end = Mailbox<Bool>()
        Task {
            await connection.run()
            end.add(true)
        }
        _ = end.next()
        return client.heard
    }
}

/// A client whose words are known beforehand, in pieces of a chosen size.
///
/// `@unchecked Sendable` is safe: the connection's thread alone uses it, and whoever reads it waits for the end.
private final class RecordedClient: LMTPStream, @unchecked Sendable {
    private var rest: ArraySlice<UInt8>
    private let piece: Int
    private(set) var heard: [UInt8] = []

    init(_ bytes: [UInt8], piece: Int) { (rest, self.piece) = (bytes[...], piece) }

    func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant) -> LMTPReceived {
        guard !rest.isEmpty else { return .closed }
        let part = rest.prefix(min(piece, buffer.count))
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return .bytes(part.count)
    }

    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        heard += bytes
        return true
    }

    func end(within limit: Duration) {}
}
