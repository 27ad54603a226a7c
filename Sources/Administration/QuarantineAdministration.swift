public import FoundationEssentials
public import PinpostCore

/// What an admin may do with mails that wait for a person, and with messages that could not be read.
public struct QuarantineAdministration: Sendable {
    private let store: any Quarantine & MessageHistory & MailboxDirectory
    private let tenants: TenantAdministration
    private let now: @Sendable () -> Date

    public init(
        store: any Quarantine & MessageHistory & MailboxDirectory, tenants: TenantAdministration,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.tenants = tenants
        self.now = now
    }

    public func list(newest limit: Int) async throws(AdministrationError) -> [HeldMailReport] {
        let time = now()
        try await AdministrationError.translated { try await store.expireHeld(now: time) }
        var reports: [HeldMailReport] = []
        for mail in try await AdministrationError.translated({ try await store.heldMails(newest: limit) }) {
            reports.append(try await report(of: mail))
        }
        return reports
    }

    public func report(of mail: HeldMail) async throws(AdministrationError) -> HeldMailReport {
        let mailboxes = try await AdministrationError.translated { try await store.mailboxes() }
        let mailbox = mail.envelope.mailbox.flatMap { id in mailboxes.first { $0.id == id } }
        var slug: String?
        if let id = mail.tenant { slug = try await tenants.slug(of: id) }
        var received: Date?
        if let id = mail.message {
            received = try await AdministrationError.translated { try await store.message(id) }?.receivedAt
        }
        return HeldMailReport(mail, tenant: slug, mailbox: mailbox?.name, received: received)
    }

    public func mail(_ id: String) async throws(AdministrationError) -> HeldMail {
        let found = try await AdministrationError.translated { try await store.heldMail(HeldMail.ID(id)) }
        guard let found else {
            throw .unknown("There is no mail \"\(id)\" in quarantine; `pinpost quarantine list` shows all.")
        }
        return found
    }

    /// Lets a mail through that its address's rules held back.
    public func release(_ mail: HeldMail) async throws(AdministrationError) -> Message.ID {
        guard let message = mail.message else {
            throw .badValue("Nobody has the address of this mail: say whose it is with --tenant and --address.")
        }
        let time = now()
        try await AdministrationError.translated { try await store.release(mail.id, past: true, now: time) }
        return message
    }

    /// The address that a mail is given to: the one named, or the tenant's only one.
    public func address(_ id: String?, of slug: String?) async throws(AdministrationError) -> Address {
        let tenant = try await tenants.tenant(named: slug)
        if let id { return try await tenants.address(id, of: tenant) }
        let all = try await tenants.addresses(of: tenant)
        guard all.count == 1 else {
            throw .badValue("Tenant \(tenant.slug) has \(all.count) addresses; say which one with --address ID.")
        }
        return all[0]
    }

    /// Gives a mail that was nobody's to an address.
    public func release(_ mail: HeldMail, as message: ReceivedMessage) async throws(AdministrationError) -> Message.ID {
        try await AdministrationError.translated { try await store.release(mail.id, as: message) }.message
    }

    public func remove(_ id: String, rehearsal: Bool) async throws(AdministrationError) -> Removal {
        let mail = try await mail(id)
        if !rehearsal { try await AdministrationError.translated { try await store.removeHeld(mail.id) } }
        return Removal(id: id, rehearsal: rehearsal)
    }

    /// A parked message is read again, by the rules of today.
    public func replay(_ id: Message.ID) async throws(AdministrationError) {
        let message = try await tenants.message(id)
        guard message.state == .parked else {
            throw .refused("Message \(id) is \(message.state.rawValue); only a parked one can be read again.")
        }
        let time = now()
        try await AdministrationError.translated { try await store.replay(id, now: time) }
    }

    /// The bytes of a message as they came, while they are still there.
    public func source(of id: Message.ID) async throws(AdministrationError) -> StoredBytes {
        let message = try await tenants.message(id)
        if let body = message.body { return body }
        let held = try await AdministrationError.translated { try await store.heldMail(of: id) }
        guard let mail = held else {
            throw .refused("The source of message \(id) is gone: it is kept only until everything is pinned.")
        }
        return mail.body
    }
}
