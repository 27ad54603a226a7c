internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// What `mailbox set` is told; secrets that are left out stay.
public struct MailboxChange: Sendable {
    /// As they were when the change began.
    public var former: MailboxSettings
    public var settings: MailboxSettings
    public var secret: Secret?
    public var clientSecret: Secret?

    public init(
        from former: MailboxSettings, to settings: MailboxSettings, secret: Secret? = nil, clientSecret: Secret? = nil
    ) {
        self.former = former
        self.settings = settings
        self.secret = secret
        self.clientSecret = clientSecret
    }
}

/// What an admin may do with the mailboxes that are watched.
public struct MailboxAdministration: Sendable {
    private let directory: any MailboxDirectory
    private let keeper: any SecretKeeper
    private let now: @Sendable () -> Date

    private static let mostHeaders = 20
    private static let longestText = 1_000

    public init(
        directory: any MailboxDirectory, keeper: any SecretKeeper, now: @escaping @Sendable () -> Date
    ) {
        self.directory = directory
        self.keeper = keeper
        self.now = now
    }

    /// A mailbox with its secrets sealed, not stored yet: it is tried out first.
    public func make(
        _ name: String, _ settings: MailboxSettings, secret: Secret, clientSecret: Secret?
    ) async throws(AdministrationError) -> WatchedMailbox {
        guard Tenant.isValid(slug: name) else {
            throw .badValue("A mailbox's name has 1 to 63 characters of a-z, 0-9 and inner hyphens, not \"\(name)\".")
        }
        if try await all().contains(where: { $0.name == name }) {
            throw .taken("There is a mailbox \"\(name)\" already; change it with `pinpost mailbox set \(name)`.")
        }
        try Self.check(settings)
        var random = SystemRandom()
        let id = WatchedMailbox.ID.random(using: &random)
        return WatchedMailbox(
            id: id, name: name, settings: settings, secret: try seal(secret, of: id),
            clientSecret: try sealed(clientSecret, of: id), createdAt: now())
    }

    /// The mailbox as it would be after a change.
    public func changed(_ name: String, by change: MailboxChange) async throws(AdministrationError) -> WatchedMailbox {
        var mailbox = try await mailbox(named: name)
        try apply(change, to: &mailbox)
        return mailbox
    }

    private func apply(_ change: MailboxChange, to mailbox: inout WatchedMailbox) throws(AdministrationError) {
        mailbox.settings = change.settings.changed(from: change.former, onto: mailbox.settings)
        try Self.check(mailbox.settings)
        if let secret = change.secret { mailbox.secret = try seal(secret, of: mailbox.id) }
        if let secret = change.clientSecret { mailbox.clientSecret = try seal(secret, of: mailbox.id) }
    }

    public func add(_ mailbox: WatchedMailbox) async throws(AdministrationError) {
        try await AdministrationError.translated { try await directory.add(mailbox) }
    }

    /// Stores a change of what the mailbox is by then; one that was stopped is tried again.
    public func change(_ name: String, by change: MailboxChange) async throws(AdministrationError) -> WatchedMailbox {
        try await self.change(name) { (mailbox) throws(AdministrationError) in try apply(change, to: &mailbox) }
    }

    /// Lets a stopped mailbox go on as it is.
    public func resume(_ name: String) async throws(AdministrationError) {
        _ = try await change(name) { _ in }
    }

    private func change(
        _ name: String, _ apply: (inout WatchedMailbox) throws(AdministrationError) -> Void
    ) async throws(AdministrationError) -> WatchedMailbox {
        try await Contention.change(
            { () async throws(AdministrationError) in try await mailbox(named: name) }, apply
        ) { (new, old) async throws(StoreError) in
            try await directory.update(new, insteadOf: old)
        }
    }

    /// Removes a mailbox; what came through it stays, and so do the mails in it.
    public func remove(_ name: String, rehearsal: Bool) async throws(AdministrationError) -> Removal {
        let mailbox = try await mailbox(named: name)
        if !rehearsal { try await AdministrationError.translated { try await directory.remove(mailbox.id) } }
        return Removal(id: name, rehearsal: rehearsal)
    }

    public func mailbox(named name: String) async throws(AdministrationError) -> WatchedMailbox {
        guard let found = try await all().first(where: { $0.name == name }) else {
            throw .unknown("There is no mailbox \"\(name)\"; `pinpost mailbox list` shows all.")
        }
        return found
    }

    public func reports() async throws(AdministrationError) -> [MailboxReport] {
        var reports: [MailboxReport] = []
        for mailbox in try await all() { reports.append(try await report(of: mailbox)) }
        return reports
    }

    public func report(of mailbox: WatchedMailbox) async throws(AdministrationError) -> MailboxReport {
        let health = try await AdministrationError.translated { try await directory.health(of: mailbox.id) }
        return MailboxReport(mailbox, health, now: now())
    }

    /// Lets the mails that were left alone, or could not be read, be read once more; returns how many there are.
    public func readAgain(in mailbox: WatchedMailbox) async throws(AdministrationError) -> Int {
        try await AdministrationError.translated { try await directory.readAgain(in: mailbox.id, now: now()) }
    }

    public func quarantine(
        of mailbox: WatchedMailbox, newest limit: Int
    ) async throws(AdministrationError) -> [QuarantineLine] {
        try await AdministrationError.translated {
            try await directory.quarantine(of: mailbox.id, newest: limit)
        }.map(QuarantineLine.init)
    }

    private func all() async throws(AdministrationError) -> [WatchedMailbox] {
        try await AdministrationError.translated { try await directory.mailboxes() }
    }

    private func seal(_ secret: Secret, of mailbox: WatchedMailbox.ID) throws(AdministrationError) -> SealedSecret {
        do throws(VaultError) {
            return try keeper.seal(secret, for: .mailboxPassword, of: WatchedMailbox.sealingName(of: mailbox))
        } catch {
            throw .vault(error)
        }
    }

    private func sealed(
        _ secret: Secret?, of mailbox: WatchedMailbox.ID
    ) throws(AdministrationError) -> SealedSecret? {
        guard let secret else { return nil }
        return try seal(secret, of: mailbox)
    }

    private static func check(_ settings: MailboxSettings) throws(AdministrationError) {
        guard isHost(settings.host) else { throw .badValue("\"\(settings.host)\" is not a host name or address.") }
        for text in [settings.username, settings.folder, settings.failureFolder ?? "x"] {
            guard (1...longestText).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { throw .badValue("\"\(text.prefix(40))\" is empty, too long, or has control characters.") }
        }
        guard (1...mostHeaders).contains(settings.recipientHeaders.count),
            settings.recipientHeaders.allSatisfy({
                !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
            })
        else { throw .badValue("There must be 1 to \(mostHeaders) recipient headers, each a field's name.") }
        if let wrong = settings.trustedAuthServers.first(where: { AuthServerPattern($0) == nil }) {
            throw .badValue("\"\(wrong.prefix(100))\" is no authserv-id such as mx.example.org or .example.org.")
        }
        if let pin = settings.pin, !pin.hasPrefix("sha256//") {
            throw .badValue("A pin is sha256// and the base64 digest of the server's public key.")
        }
        if let pem = settings.caPEM { _ = try TenantAdministration.certificates(pem) }
        if let proxy = settings.proxy,
            !proxy.hasPrefix("http://") && !proxy.hasPrefix("socks5h://") || proxy.contains("@")
        {
            throw .badValue("A proxy is http://HOST:PORT or socks5h://HOST:PORT, without a password.")
        }
        let oauth = settings.oauth
        for endpoint in [oauth?.tokenEndpoint, oauth?.authorizationEndpoint, oauth?.deviceEndpoint] {
            guard let endpoint else { continue }
            guard endpoint.hasPrefix("https://") || endpoint.hasPrefix("http://127.0.0.1:") else {
                throw .badValue("An endpoint of OAuth2 is an https:// URL.")
            }
        }
    }

    private static func isHost(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"):
                    true
                default: false
                }
            }
    }
}
