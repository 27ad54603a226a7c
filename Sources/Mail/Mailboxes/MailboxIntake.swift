internal import Cryptography
internal import FoundationEssentials
public import PinpostCore

/// Turns mails that were found in a mailbox into messages of those for whom they are.
public struct MailboxIntake: Sendable {
    private let sink: any MessageSink
    private let directory: any TenantDirectory
    private let blobs: any BlobStore
    /// Its threads wait for the disk: what is synced at the same time costs one turn of it.
    private let pool = BlockingPool(width: width)
    private let addressing: MailAddressing
    private let surroundings: Surroundings

    /// Recipients of one mail that are looked up.
    private static let mostRecipients = 50
    /// Mails that are made durable at the same time.
    static let width = 32

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

    /// Accepts a mail once for each live address in the fields that the mailbox names; without one it is quarantined.
    func take(_ mail: ArrivingMail, in mailbox: WatchedMailbox) async throws(StoreError) -> MailVerdict.Fate {
        let header = mail.header
        let found = try await addresses(in: header, of: mailbox)
        guard !found.isEmpty else {
            let fields = mailbox.settings.recipientHeaders.joined(separator: ", ")
            return .quarantined(reason: "No live address in \(fields).")
        }
        let keys = mail.keys(for: found.map(\.address.id))
        // Two messages never share one file.
        let bodies = try await bodies(of: mail, count: found.count)
        var messages: [Message.ID] = []
        for (index, found) in found.enumerated() {
            let message = ReceivedMessage(
                id: surroundings.makeID(), tenant: found.address.tenant, route: .address(found.address.id),
                source: .mail, deliveryKey: keys[index], body: bodies[index],
                envelope: Envelope(
                    recipient: addressing.redacted, boardSlug: found.board, sender: Self.sender(in: header),
                    mailbox: mailbox.id),
                receivedAt: surroundings.now())
            do throws(StoreError) {
                messages.append(try await accept(message))
            } catch {
                for body in bodies[(index + 1)...] { await discard(body) }
                throw error
            }
        }
        return .taken(messages, waits: mailbox.settings.afterwards != .leave || mailbox.settings.failureFolder != nil)
    }

    /// The tenants' addresses among the recipients, each once.
    private func addresses(
        in header: HeaderBlock, of mailbox: WatchedMailbox
    ) async throws(StoreError) -> [(address: PinpostCore.Address, board: String?)] {
        var found: [(address: PinpostCore.Address, board: String?)] = []
        let fields = mailbox.settings.recipientHeaders.flatMap { header.all($0.lowercased()) }
        let recipients = fields.flatMap { AddressList.addresses(in: $0) }.compactMap { addressing.recipient($0) }
        for recipient in recipients.prefix(Self.mostRecipients) {
            guard let token = AddressToken(recipient.token),
                let address = try await directory.address(tokenHash: token.hash, now: surroundings.now()),
                !found.contains(where: { $0.address.id == address.id })
            else { continue }
            found.append((address, recipient.board))
        }
        return found
    }

    /// The bytes of a repeat go, and so do those that could not be accepted.
    private func accept(_ message: ReceivedMessage) async throws(StoreError) -> Message.ID {
        do throws(StoreError) {
            let acceptance = try await sink.accept(message)
            if acceptance.isRepeat { await discard(message.body) }
            return acceptance.message
        } catch {
            await discard(message.body)
            throw error
        }
    }

    /// The mail's bytes, durable, so many times.
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

    /// The envelope sender, as the last mail server wrote it down (RFC 5321 section 4.4).
    private static func sender(in header: HeaderBlock) -> String? {
        header.raw("return-path").map { AddressList.addresses(in: $0).first ?? "" }
    }
}
