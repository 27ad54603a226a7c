internal import Cryptography
internal import FoundationEssentials
public import PinpostCore

/// Turns mails into messages of those for whom they are: the same way for a pipe, for LMTP and for mailboxes.
public struct MailIntake: Sendable {
    private let sink: any MessageSink
    private let allowance: (any Allowance)?
    private let directory: any TenantDirectory
    private let quarantine: any Quarantine
    private let blobs: any BlobStore
    /// Its threads wait for the disk: what is synced at the same time costs one turn of it.
    private let pool = BlockingPool(width: width)
    public let addressing: MailAddressing
    let surroundings: Surroundings
    /// Who is believed about senders of mail from LMTP and the pipe.
    private let trusted: [AuthServerPattern]
    /// Of the quarantine.
    private let limits: QuarantineLimits

    /// Mails that are made durable at the same time.
    static let width = 32

    /// `allowance` is what `sink` charges; nil: nobody has a limit.
    public init(
        sink: any MessageSink, within allowance: (any Allowance)? = nil, directory: any TenantDirectory,
        quarantine: any Quarantine, blobs: any BlobStore,
        addressing: MailAddressing, surroundings: Surroundings, trusting trusted: [AuthServerPattern] = [],
        holdingWithin limits: QuarantineLimits = QuarantineLimits()
    ) {
        self.sink = sink
        self.allowance = allowance
        self.directory = directory
        self.quarantine = quarantine
        self.blobs = blobs
        self.trusted = trusted
        self.limits = limits
        self.addressing = addressing
        self.surroundings = surroundings
    }

    /// Where a recipient leads.
    public enum Destination: Sendable, Hashable {
        /// A live address, and the board that stands behind its token.
        case address(PinpostCore.Address, board: String?)
        /// The mailbox itself: whose the mail is follows from its sender, once he is proven.
        case mailbox

        /// Whose address it is; nil for the mailbox.
        var address: PinpostCore.Address.ID? {
            if case .address(let address, _) = self { address.id } else { nil }
        }
    }

    /// What became of a mail for one destination.
    public enum Delivery: Sendable, Hashable {
        case accepted(Acceptance)
        /// Nobody's; it waits for a person in the quarantine.
        case held(HeldMail.ID)
    }

    /// nil for everything that is no live address: of wrong form, with wrong check characters, removed, expired.
    ///
    /// All of these cost one look-up, so that the time of an answer tells none of them from another.
    public func destination(of recipient: String) async throws(StoreError) -> Destination? {
        let now = surroundings.now()
        let asked = addressing.recipient(recipient)
        let hash = asked.flatMap { AddressToken($0.token) }?.hash ?? SHA256.hash(Array(recipient.utf8))
        let address = try await directory.address(tokenHash: hash, now: now)
        if let asked, let address { return .address(address, board: asked.board) }
        guard addressing.isMailbox(recipient), !(try await directory.senderAddresses(now: now)).isEmpty else {
            return nil
        }
        return .mailbox
    }

    /// Whether its tenant has received all that he may for now: a server that can keep the mail is asked to.
    ///
    /// Mail in a mailbox lies there anyhow, and is taken; a sender behind the mailbox's own address is not known yet.
    public func isSpent(_ destination: Destination) -> Bool {
        guard case .address(let address, _) = destination, let allowance else { return false }
        return allowance.lack(of: 1, for: address.tenant, at: surroundings.now()) != nil
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
        _ mail: ArrivingMail, for destinations: [Destination], from sender: String?
    ) async throws(StoreError) -> [Result<Delivery, StoreError>] {
        var targets: [Target] = []
        for destination in destinations {
            switch destination {
            case .address(let address, let board): targets.append(.address(address, board: board))
            case .mailbox:
                let verdict = SenderCheck.verdict(on: mail.header, trusting: trusted)
                let address = try await self.address(of: verdict)
                targets.append(
                    address.map { .address($0, board: nil) }
                        ?? .nobody(.sender, "No address takes mail without a token from its sender: \(verdict.reason).")
                )
            }
        }
        return try await deliver(mail, to: targets, from: sender)
    }

    /// For whom a mail is in the end.
    enum Target: Sendable {
        case address(PinpostCore.Address, board: String?)
        case nobody(HeldMail.Cause, String)

        /// What the mail is recognised by when it comes again.
        fileprivate var name: String {
            switch self {
            // One mail to two boards is meant for both.
            case .address(let address, let board): address.id.rawValue + (board.map { ".\($0)" } ?? "")
            case .nobody: "quarantine"
            }
        }
    }

    /// Makes a message for each target, or keeps the mail for a person.
    func deliver(
        _ mail: ArrivingMail, to targets: [Target], from sender: String?, in mailbox: WatchedMailbox.ID? = nil
    ) async throws(StoreError) -> [Result<Delivery, StoreError>] {
        let bodies = try await bodies(of: mail, count: targets.count)
        let keys = mail.keys(for: targets.map(\.name))
        var results: [Result<Delivery, StoreError>] = []
        for (index, target) in targets.enumerated() {
            var envelope = Envelope(recipient: addressing.redacted, sender: sender, mailbox: mailbox)
            do throws(StoreError) {
                switch target {
                case .address(let address, let board):
                    envelope.boardSlug = board
                    results.append(.success(try await accept(bodies[index], keys[index], for: address, envelope)))
                case .nobody(let cause, let reason):
                    let id = try await hold(bodies[index], keys[index], cause, reason, envelope)
                    results.append(.success(.held(id)))
                }
            } catch {
                await discard(bodies[index])
                results.append(.failure(error))
            }
        }
        return results
    }

    /// The address whose rules name this sender, an exact rule before a domain's; nil where two people have one.
    func address(of verdict: SenderVerdict) async throws(StoreError) -> PinpostCore.Address? {
        guard let from = verdict.provenFrom else { return nil }
        let all = try await directory.senderAddresses(now: surroundings.now())
        let exact = all.filter { $0.policy.names(from, exactly: true) }
        let found = exact.isEmpty ? all.filter { $0.policy.names(from, exactly: false) } : exact
        return found.count == 1 ? found[0] : nil
    }

    /// The bytes of a repeat go.
    private func accept(
        _ body: StoredBytes, _ key: [UInt8], for address: PinpostCore.Address, _ envelope: Envelope
    ) async throws(StoreError) -> Delivery {
        let acceptance = try await sink.accept(
            ReceivedMessage(
                id: surroundings.makeID(), tenant: address.tenant, route: .address(address.id), source: .mail,
                deliveryKey: key, body: body, envelope: envelope, receivedAt: surroundings.now()))
        if acceptance.isRepeat { await discard(body) }
        return .accepted(acceptance)
    }

    private func hold(
        _ body: StoredBytes, _ key: [UInt8], _ cause: HeldMail.Cause, _ reason: String, _ envelope: Envelope
    ) async throws(StoreError) -> HeldMail.ID {
        let now = surroundings.now()
        let mail = HeldMail(
            id: surroundings.makeID(), cause: cause, reason: reason, envelope: envelope, body: body, heldAt: now,
            expiresAt: now + limits.age)
        let kept = try await quarantine.hold(mail, key: key, within: limits)
        if kept != mail.id { await discard(body) }
        return kept
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
