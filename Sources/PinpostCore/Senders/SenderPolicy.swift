/// Who may pin through an address.
public struct SenderPolicy: Sendable, Hashable, Codable {
    public enum Mode: String, Sendable, Codable, CaseIterable {
        /// Whoever knows the address.
        case token
        /// Who knows the address and is one of the senders.
        case tokenAndSender = "token+sender"
        /// One of the senders; he may also write to the mailbox without a token.
        case sender
    }

    public var mode: Mode
    public var senders: [SenderRule]

    public init(_ mode: Mode = .token, senders: [SenderRule] = []) {
        self.mode = mode
        self.senders = senders
    }

    /// Rules of one address.
    public static let mostSenders = 100

    /// Whether a rule names this address, by itself or with its domain.
    public func names(_ address: String, exactly isExact: Bool) -> Bool {
        senders.contains { $0.isOfOne == isExact && $0.matches(address) }
    }

    /// Why a mail may not be pinned, in words; nil: it may.
    public func objection(to verdict: SenderVerdict?) -> String? {
        guard mode != .token else { return nil }
        guard let verdict else { return "The sender was not checked." }
        guard let from = verdict.provenFrom else { return "The sender is not proven: \(verdict.reason)." }
        return senders.contains { $0.matches(from) } ? nil : "The sender is not one of this address's senders."
    }
}

/// A sender, or all of a domain: `ada@example.org`, `@example.org`.
public struct SenderRule: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Before the `@`; nil for everybody of the domain.
    private let local: String?
    private let domain: String

    /// nil for anything else than an address or `@DOMAIN`.
    public init?(_ text: String) {
        guard let at = text.lastIndex(of: "@"), text.utf8.count <= 320 else { return nil }
        let local = text[..<at].lowercased()
        let domain = HostName.ascii(String(text[text.index(after: at)...]))
        let isPlain = local.allSatisfy { !$0.isWhitespace && !"<>\"(),:;\\[]@".contains($0) }
        guard isPlain, domain.contains("."),
            domain.split(separator: ".", omittingEmptySubsequences: false)
                .allSatisfy({ !$0.isEmpty }),
            domain.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") })
        else { return nil }
        self.local = local.isEmpty ? nil : local
        self.domain = domain
    }

    /// One sender rather than all of a domain.
    public var isOfOne: Bool { local != nil }

    /// Compares with an address whose domain is in ASCII; the case of neither half matters.
    public func matches(_ address: String) -> Bool {
        guard let at = address.lastIndex(of: "@") else { return false }
        let isDomain = address[address.index(after: at)...].lowercased() == domain
        return isDomain && (local == nil || address[..<at].lowercased() == local)
    }

    public var description: String { "\(local ?? "")@\(domain)" }

    public init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let rule = SenderRule(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a sender: \(text.prefix(100))"))
        }
        self = rule
    }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
