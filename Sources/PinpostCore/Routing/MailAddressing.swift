/// How our mail addresses are made and read: `pins+TOKEN@example.org`, or `TOKEN@example.org` on a catch-all domain.
///
/// Behind the token may follow `.slug`, a board. Case does not matter; mail systems change it.
public struct MailAddressing: Sendable, Hashable {
    /// What stands before the `+`.
    public let mailbox: String
    public let domain: String
    /// In one form for all spellings: `xn--bcher-kva.example` is `bücher.example`.
    private let comparedDomain: String

    /// Reads `PINPOST_MAIL_ADDRESS`, for example `pins@example.org`; nil for anything that is no address.
    public init?(mailAddress: String) {
        guard let (local, domain) = Self.split(mailAddress), !local.contains("+"),
            domain.contains(".") || domain == "localhost"
        else { return nil }
        (mailbox, self.domain) = (local, domain)
        comparedDomain = HostName.unicode(domain)
    }

    /// How the domain may stand in a text.
    public var domainForms: Set<String> { [domain, comparedDomain, HostName.ascii(domain)] }

    /// What an address asks for; the token has yet to be looked up.
    public struct Recipient: Sendable, Hashable {
        public let token: String
        /// The slug of a board.
        public let board: String?

        public init(token: String, board: String? = nil) { (self.token, self.board) = (token, board) }
    }

    /// Reads a recipient as an envelope or a header has it; nil where it cannot be one of ours.
    public func recipient(_ address: String) -> Recipient? {
        guard let (local, domain) = Self.split(address), isOurs(domain) else { return nil }
        if local.hasPrefix(mailbox + "+") {
            return Self.recipient(local.dropFirst(mailbox.count + 1), shortestToken: 1)
        }
        // On a catch-all domain other mailboxes may live too; no word that a person picks is that long.
        return Self.recipient(local[...], shortestToken: 20)
    }

    /// Whether this is the mailbox itself, without any token.
    public func isMailbox(_ address: String) -> Bool {
        guard let (local, domain) = Self.split(address) else { return false }
        return local == mailbox && isOurs(domain)
    }

    private func isOurs(_ domain: String) -> Bool {
        domain == self.domain || HostName.unicode(domain) == comparedDomain
    }

    /// The address that carries a token.
    public func address(for token: String, board: String? = nil) -> String {
        "\(mailbox)+\(token)\(board.map { "." + BoardSlug.make(from: $0) } ?? "")@\(domain)"
    }

    /// The same address without its token, for logs and envelopes.
    public var redacted: String { "\(mailbox)+…@\(domain)" }

    private static func recipient(_ local: Substring, shortestToken: Int) -> Recipient? {
        let pieces = local.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let token = String(pieces[0])
        let isToken = token.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isToken, (shortestToken...64).contains(token.utf8.count) else { return nil }
        let board = pieces.count > 1 ? BoardSlug.make(from: String(pieces[1])) : ""
        return Recipient(token: token, board: board.isEmpty ? nil : board)
    }

    /// Local part and domain in lower case, without angle brackets.
    private static func split(_ address: String) -> (local: String, domain: String)? {
        var text = address[...].drop { $0.isWhitespace || $0 == "<" }
        while let last = text.last, last.isWhitespace || last == ">" || last == "." { text = text.dropLast() }
        guard text.utf8.count <= 320, let at = text.lastIndex(of: "@") else { return nil }
        let local = text[..<at].lowercased()
        let domain = text[text.index(after: at)...].lowercased()
        guard !local.isEmpty, !domain.isEmpty, isPlain(local), isPlain(domain) else { return nil }
        return (local, domain)
    }

    /// Without spaces and what has a meaning of its own in addresses; called for each recipient of each mail.
    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "<", ">", "\"", "(", ")", ",", ":", ";", "\\", "[", "]", "@": false
            default: scalar.isASCII ? scalar.value > 0x20 : !scalar.properties.isWhitespace
            }
        }
    }
}
