internal import Cryptography
internal import FoundationEssentials
public import PinpostCore

/// Turns mails into messages of those for whom they are: the same way for a pipe, for LMTP and for mailboxes.
public struct MailIntake: Sendable {
    private let sink: any MessageSink
    private let directory: any TenantDirectory
    private let blobs: any BlobStore
    /// Its threads wait for the disk: what is synced at the same time costs one turn of it.
    private let pool = BlockingPool(width: width)
    public let addressing: MailAddressing
    let surroundings: Surroundings

    /// Mails that are made durable at the same time.
    static let width = 16

    public init(
        sink: any MessageSink, directory: any TenantDirectory, blobs: any BlobStore, addressing: MailAddressing,
        surroundings: Surroundings
    ) {
        self.sink = sink
        self.directory = directory
        self.blobs = blobs
        self.addressing = addressing
        self.surroundings = surroundings
    }

    /// Where a recipient leads: a live address, and the board that stands behind its token.
    public struct Destination: Sendable, Hashable {
        public let address: PinpostCore.Address
        public let board: String?
    }

    /// nil for everything that is no live address: of wrong form, with wrong check characters, removed, expired.
    ///
    /// All of these cost one look-up, so that the time of an answer tells none of them from another.
    public func destination(of recipient: String) async throws(StoreError) -> Destination? {
        let asked = addressing.recipient(recipient)
        let hash = asked.flatMap { AddressToken($0.token) }?.hash ?? SHA256.hash(Array(recipient.utf8))
        let address = try await directory.address(tokenHash: hash, now: surroundings.now())
        guard let asked, let address else { return nil }
        return Destination(address: address, board: asked.board)
    }

    /// A mail whose bytes are still to come.
    public func begin() -> ArrivingMail { ArrivingMail(blobs.makeWriter()) }

    /// Takes the next piece of a mail, on a thread that may block.
    public func take(_ piece: [UInt8], of mail: ArrivingMail) async throws(StoreError) {
        try await pool.run { () throws(StoreError) in try mail.take(piece) }
    }

    /// Accepts a mail for each destination; each result stands for itself, in order.
    ///
    /// Every message has a body of its own. Throws when not even one body could be made durable.
    public func accept(
        _ mail: ArrivingMail, for destinations: [Destination], from sender: String?,
        in mailbox: WatchedMailbox.ID? = nil
    ) async throws(StoreError) -> [Result<Acceptance, StoreError>] {
        let keys = mail.keys(for: destinations.map(\.address.id))
        let bodies = try await bodies(of: mail, count: destinations.count)
        var results: [Result<Acceptance, StoreError>] = []
        for (index, destination) in destinations.enumerated() {
            let address = destination.address
            let message = ReceivedMessage(
                id: surroundings.makeID(), tenant: address.tenant, route: .address(address.id), source: .mail,
                deliveryKey: keys[index], body: bodies[index],
                envelope: Envelope(
                    recipient: addressing.redacted, boardSlug: destination.board, sender: sender, mailbox: mailbox),
                receivedAt: surroundings.now())
            results.append(await accept(message))
        }
        return results
    }

    /// The bytes of a repeat go, and so do those that could not be accepted.
    private func accept(_ message: ReceivedMessage) async -> Result<Acceptance, StoreError> {
        do throws(StoreError) {
            let acceptance = try await sink.accept(message)
            if acceptance.isRepeat { await discard(message.body) }
            return .success(acceptance)
        } catch {
            await discard(message.body)
            return .failure(error)
        }
    }

    /// The mail's bytes, durable, so many times: two messages never share one file.
    private func bodies(of mail: ArrivingMail, count: Int) async throws(StoreError) -> [StoredBytes] {
        try await pool.run { [blobs] () throws(StoreError) in
            var bodies = [try mail.finish()]
            do throws(StoreError) {
                while bodies.count < count { bodies.append(try Self.copy(of: bodies[0], in: blobs)) }
            } catch {
                for body in bodies { blobs.discard(body) }
                throw error
            }
            return bodies
        }
    }

    private static func copy(of bytes: StoredBytes, in blobs: any BlobStore) throws(StoreError) -> StoredBytes {
        let reader = try blobs.open(bytes)
        let writer = blobs.makeWriter()
        do throws(StoreError) {
            while true {
                let piece = try reader.read(upTo: 256 << 10)
                guard !piece.isEmpty else { return try writer.finish() }
                try piece.lend { (piece) throws(StoreError) in try writer.write(piece) }
            }
        } catch {
            writer.discard()
            throw error
        }
    }

    private func discard(_ bytes: StoredBytes) async { await pool.run { [blobs] in blobs.discard(bytes) } }
}
