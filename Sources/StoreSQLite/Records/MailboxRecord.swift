internal import FoundationEssentials
internal import PinpostCore

extension WatchedMailbox {
    /// The secret's columns, then those of the client's secret, which may be absent.
    static let columns = """
        mailboxes.id, name, settings, created_at, secret.id, secret.purpose, secret.key_id, secret.box, \
        client.id IS NULL, client.id, client.purpose, client.key_id, client.box
        """
    static let tables = """
        mailboxes JOIN mailbox_credentials AS secret ON secret.id = secret_id \
        LEFT JOIN mailbox_credentials AS client ON client.id = client_secret_id
        """

    init(_ row: inout Row) throws(StoreError) {
        let (id, name): (WatchedMailbox.ID, String) = (row.id(), row.text())
        let settings: MailboxSettings = try row.recurringJSON()
        let createdAt = row.date()
        let secret = try SealedSecret(&row)
        let hasClientSecret = !row.flag()
        self.init(
            id: id, name: name, settings: settings, secret: secret,
            clientSecret: hasClientSecret ? try SealedSecret(&row) : nil, createdAt: createdAt)
    }

    /// Puts its secrets in the place of whatever was there.
    func putSecrets(on connection: Connection) throws(StoreError) {
        try connection.run("DELETE FROM mailbox_credentials WHERE mailbox_id = ?", id)
        for secret in [secret, clientSecret].compactMap(\.self) { try secret.insert(for: id, on: connection) }
    }
}

extension SealedSecret {
    func insert(for mailbox: WatchedMailbox.ID, on connection: Connection) throws(StoreError) {
        try connection.run(
            "INSERT INTO mailbox_credentials (id, mailbox_id, purpose, key_id, box) VALUES (?, ?, ?, ?, ?)",
            id, mailbox, purpose.rawValue, keyID, box)
    }
}

extension UInt32: SQLConvertible {
    var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Row {
    /// A UID or UIDVALIDITY.
    mutating func number() -> UInt32 { UInt32(truncatingIfNeeded: integer()) }
}
