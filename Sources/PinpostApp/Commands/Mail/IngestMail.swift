import Cryptography
import Mail
import PinpostCore
import Synchronization

extension Command {
    private static let recipient = Flag("recipient", "ADDRESS", "the address that the mail is for, from the envelope")
    private static let sender = Flag("sender", "ADDRESS", "the sender in the envelope, where it is known")

    static let ingestMail = Command(
        "ingest mail", "take one mail from standard input, as a mail server's pipe",
        flags: [AnyFlag(recipient), AnyFlag(sender)],
        notes: """
            It ends with 0 once the mail is on disk; a mail that is there already changes nothing. 67: no such address;
            65: no mail, or over 50 MiB; 75: try again later, whatever is wrong on our side.
            Postfix, master.cf: pinpost unix - n n - - pipe user=pinpost argv=/usr/bin/pinpost ingest mail
              --recipient ${recipient} --sender ${sender}
            """
    ) { arguments, context in
        let action = IngestMail(
            recipient: try arguments.required(recipient), sender: try arguments.value(sender))
        do {
            let accepted = try await context.withAdministration {
                let input = FileBody(context.console.input, closes: false, pool: context.pool)
                return try await $0.perform(action, body: input)
            }
            try context.print(accepted) { _ in "" }
            return .done
        } catch {
            throw Failure(error).asMailServersExpect
        }
    }
}

extension Failure {
    /// A mail server bounces a mail for any code that it takes as final: what is not the mail's fault has to be 75.
    fileprivate var asMailServersExpect: Failure {
        switch exit {
        case .wrongData, .unknownAddress, .usage, .tryLater: self
        case .done, .refused, .unavailable, .notAllowed, .configuration: Failure(code, detail, exit: .tryLater)
        }
    }
}

/// Stores the mail in the body for the tenant behind the recipient.
struct IngestMail: AdminAction {
    static let name = "ingest.mail"
    /// The largest mail, in bytes.
    static let limit = 50 << 20

    var recipient: String
    var sender: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AcceptedMessage {
        let (address, board) = try await find(at: desk)
        let surroundings = desk.intake.surroundings
        let fingerprint = SharedFingerprint()
        let bytes = try await desk.intake.store(body, limit: Self.limit) { fingerprint.update($0) }
        let message = ReceivedMessage(
            id: surroundings.makeID(), tenant: address.tenant, route: .address(address.id), source: .mail,
            deliveryKey: fingerprint.key(for: address.id.rawValue), body: bytes,
            envelope: Envelope(recipient: desk.addressing.redacted, boardSlug: board, sender: sender),
            receivedAt: surroundings.now())
        return AcceptedMessage(try await desk.intake.accept(message))
    }

    /// Wrong form, wrong check characters, removed and expired: for the sender all of these are one.
    private func find(at desk: AdminDesk) async throws -> (Address, board: String?) {
        let unknown = Failure("unknown_address", "There is no such address.", exit: .unknownAddress)
        guard let found = desk.addressing.recipient(recipient), let token = AddressToken(found.token) else {
            throw unknown
        }
        let now = desk.intake.surroundings.now()
        guard let address = try await desk.directory.address(tokenHash: token.hash, now: now) else { throw unknown }
        return (address, found.board)
    }
}

/// The fingerprint of the mail that is being stored.
private final class SharedFingerprint: Sendable {
    private let state = Mutex(MailFingerprint())

    func update(_ piece: [UInt8]) { state.withLock { $0.update(piece) } }
    func key(for address: String) -> [UInt8] { state.withLock { $0.key(for: address) } }
}
