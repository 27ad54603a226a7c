public import PinpostCore

/// Tries a mailbox out, and takes nothing from it.
public struct MailboxTrial: Sendable {
    private let ports: MailboxPorts

    public init(_ ports: MailboxPorts) { self.ports = ports }

    /// What a connection found.
    public struct Findings: Sendable, Hashable, Codable {
        /// Mails in the folder.
        public var mails: Int
        public var uidValidity: UInt32?
        /// The server tells of new mail by itself.
        public var idle: Bool
        public var move: Bool
        /// Mails can be given the keyword `$Pinned`.
        public var keywords: Bool
        /// What the server wants a person to know.
        public var alerts: [String]

        enum CodingKeys: String, CodingKey {
            case mails
            case uidValidity = "uid_validity"
            case idle, move, keywords, alerts
        }
    }

    /// What the newest mail of a mailbox carries that an admin has to know about.
    public struct Probe: Sendable, Hashable, Codable {
        public var uid: UInt32
        public var fields: [Field]
        /// Who stamped Authentication-Results, in the order of the header.
        public var authServers: [AuthServer]
        /// Whether its sender is proven by what the mailbox trusts now.
        public var sender: SenderVerdict

        enum CodingKeys: String, CodingKey {
            case uid, fields
            case authServers = "auth_servers"
            case sender
        }

        public struct AuthServer: Sendable, Hashable, Codable {
            /// The authserv-id; where the field cannot be read, how it begins.
            public var id: String
            /// `dmarc=pass`, `spf=fail` …; empty where the field cannot be read.
            public var results: [String]
            public var isReadable: Bool
            public var isTrusted: Bool

            enum CodingKeys: String, CodingKey {
                case id, results
                case isReadable = "readable"
                case isTrusted = "trusted"
            }
        }

        public struct Field: Sendable, Hashable, Codable {
            public var name: String
            /// Whether it holds an address of our form.
            public var isOurs: Bool
            /// Whether the mailbox looks at this field.
            public var isUsed: Bool

            enum CodingKeys: String, CodingKey {
                case name
                case isOurs = "ours"
                case isUsed = "used"
            }
        }
    }

    /// Logs in and opens the folder; `secret` goes before the stored one, for a mailbox that is not stored yet.
    public func test(_ mailbox: WatchedMailbox) async throws(IMAPError) -> Findings {
        try await connected(to: mailbox) { (connection, folder) async throws(IMAPError) in
            Findings(
                mails: folder.count, uidValidity: folder.uidValidity, idle: await connection.canIdle,
                move: await connection.canMove, keywords: folder.takesKeyword("$Pinned"),
                alerts: await connection.alerts)
        }
    }

    /// Reads the newest mail's header; nil when the folder is empty.
    public func probe(
        _ mailbox: WatchedMailbox, addressing: MailAddressing
    ) async throws(IMAPError) -> Probe? {
        try await connected(to: mailbox) { (connection, _) async throws(IMAPError) in
            guard let uid = try await connection.search("*").last else { return nil }
            let fetched = await connection.fetch([[uid]], into: MeasuringBlobStore())
            if let failure = fetched.failure { throw failure }
            guard let mail = fetched.mails[uid] else {
                throw IMAPError(.refused, fetched.refused[uid] ?? "no mail came")
            }
            return Probe(uid: uid, mail.header, of: mailbox, addressing)
        }
    }

    private func connected<Result: Sendable>(
        to mailbox: WatchedMailbox,
        _ body: (IMAPConnection, IMAPConnection.Folder) async throws(IMAPError) -> Result
    ) async throws(IMAPError) -> Result {
        let secret = try await AccessTokens(of: mailbox, ports: ports).secret()
        var limits = ports.limits
        limits.login = min(limits.login, .seconds(30))
        let connection = try IMAPConnection(limits: limits)
        do throws(IMAPError) {
            try await connection.open(mailbox.target, as: mailbox.login(with: secret))
            // Examining would hide which keywords may be set.
            let folder = try await connection.select(mailbox.settings.folder, readOnly: false)
            let result = try await body(connection, folder)
            await connection.close()
            return result
        } catch {
            await connection.close()
            throw error
        }
    }
}

extension MailboxTrial.Probe {
    /// Fields in which servers write recipients down.
    private static let candidates = [
        "Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Forwarded-To",
        "X-RCPT-TO", "Apparently-To", "Resent-To", "To", "Cc",
    ]

    init(uid: UInt32, _ header: HeaderBlock, of mailbox: WatchedMailbox, _ addressing: MailAddressing) {
        self.uid = uid
        let used = Set(mailbox.settings.recipientHeaders.map { $0.lowercased() })
        let names = Self.candidates + mailbox.settings.recipientHeaders
        var seen: Set<String> = []
        fields = names.filter { seen.insert($0.lowercased()).inserted && header.has($0.lowercased()) }.map { name in
            let recipients = header.all(name.lowercased()).flatMap { AddressList.addresses(in: $0) }
            return Field(
                name: name, isOurs: recipients.contains { addressing.recipient($0) != nil },
                isUsed: used.contains(name.lowercased()))
        }
        let trusted = mailbox.settings.trustedServers
        authServers = header.all("authentication-results").prefix(20).map { AuthServer($0, trusting: trusted) }
        sender = SenderCheck.verdict(on: header, trusting: trusted)
    }
}

extension MailboxTrial.Probe.AuthServer {
    init(_ field: [UInt8], trusting servers: [AuthServerPattern]) {
        guard let results = AuthenticationResults(field) else {
            let beginning = String(
                decoding: HeaderBlock.trimmed(field.prefix { $0 != UInt8(ascii: ";") }), as: UTF8.self)
            self.init(id: String(beginning.prefix(100)), results: [], isReadable: false, isTrusted: false)
            return
        }
        self.init(
            id: results.server, results: results.results.prefix(20).map { "\($0.method)=\($0.value)" },
            isReadable: true, isTrusted: servers.contains { $0.matches(results.server) })
    }
}
