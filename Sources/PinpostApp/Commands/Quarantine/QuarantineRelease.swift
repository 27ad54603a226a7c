import Administration
import Cryptography
import PinpostCore

extension Command {
    private static let address = Flag(
        "address", "ID", "to which address of the tenant; may be left out while he has one")

    static let quarantineRelease = Command(
        "quarantine release", "let a mail through, past the rules about senders",
        operands: [SharedFlags.heldMail], flags: [AnyFlag(SharedFlags.tenant), AnyFlag(address)],
        notes: "A mail for an unknown address is given to the address of --tenant and --address."
    ) { arguments, context in
        let released = try await context.perform(
            ReleaseHeldMail(
                id: arguments.operands[0], tenant: try arguments.value(SharedFlags.tenant),
                address: try arguments.value(address)))
        try context.print(released) { "Released as message \($0.message).\n" }
        return .done
    }
}

struct ReleasedMail: Codable, Sendable {
    var message: String
}

struct ReleaseHeldMail: AdminAction {
    static let name = "quarantine.release"
    var id: String
    var tenant: String?
    var address: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ReleasedMail {
        let mail = try await desk.quarantine.mail(id)
        guard mail.message == nil, tenant != nil || address != nil else {
            if let tenant, let owner = mail.tenant,
                try await desk.administration.tenant(named: tenant).id != owner
            {
                throw Failure("bad_value", "The mail is for an address of another tenant.", exit: .usage)
            }
            return ReleasedMail(message: try await desk.quarantine.release(mail).rawValue)
        }
        let target = try await desk.quarantine.address(address, of: tenant)
        let key = try await desk.intake.fingerprint(of: mail.body, for: target.id.rawValue)
        var envelope = mail.envelope
        envelope.isReleased = true
        let surroundings = desk.intake.surroundings
        let message = ReceivedMessage(
            id: surroundings.makeID(), tenant: target.tenant, route: .address(target.id), source: .mail,
            deliveryKey: key, body: mail.body, envelope: envelope, receivedAt: surroundings.now())
        return ReleasedMail(message: try await desk.quarantine.release(mail, as: message).rawValue)
    }
}

extension Intake {
    /// The delivery key that the mail would have had at this address.
    fileprivate func fingerprint(of bytes: StoredBytes, for name: String) async throws(StoreError) -> [UInt8] {
        try await pool.run { [blobs] () throws(StoreError) in
            var fingerprint = MailFingerprint()
            let reader = try blobs.open(bytes)
            while true {
                let piece = try reader.read(upTo: 256 << 10)
                guard !piece.isEmpty else { return fingerprint.key(for: name) }
                fingerprint.update(piece)
            }
        }
    }
}
