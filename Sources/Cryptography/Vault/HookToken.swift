public import PinpostCore

/// The secret of a hook: `pph_`, 160 random bits in base32, six check characters.
///
/// The store keeps its hash only; the text is shown once.
public struct HookToken: Sendable {
    /// What every token begins with.
    public static let prefix = "pph_"
    private static let byteCount = 20
    private static let checkCharacters = 6

    public let text: Secret

    /// A token as a sender presented it: its hash alone, so that nothing secret outlives the check.
    public struct Presented: Sendable {
        /// SHA-256 of the text: what the store keeps.
        public let hash: [UInt8]
    }

    public static func random(using random: inout SystemRandom) -> HookToken {
        var bytes = random.bytes(byteCount)
        defer { bytes.withUnsafeMutableBytes { Secret.wipe($0) } }
        var text = CheckedText.make(bytes, prefix: prefix, checkCharacters: checkCharacters)
        return HookToken(text: Secret(taking: &text))
    }

    private init(text: Secret) { self.text = text }

    /// Reads what a sender presented; nil when it cannot be a token at all.
    public static func presented(_ text: some StringProtocol) -> Presented? {
        var bytes = Array(text.utf8.prefix(128))
        defer { bytes.withUnsafeMutableBytes { Secret.wipe($0) } }
        guard CheckedText.isValid(bytes, prefix: prefix, byteCount: byteCount, checkCharacters: checkCharacters)
        else { return nil }
        return Presented(hash: SHA256.hash(bytes))
    }

    /// SHA-256 of the text: what the store keeps.
    public var hash: [UInt8] { text.withBytes { SHA256.hash($0) } }
}

extension HookToken.Presented {
    /// Whether this is one of the tokens with these hashes; an unknown hook (no hashes) takes as long as a wrong token.
    public func matches(_ hashes: [[UInt8]]) -> Bool {
        let candidates = hashes.isEmpty ? [[UInt8](repeating: 0, count: SHA256.byteCount)] : hashes
        return candidates.reduce(false) { found, candidate in HMAC.areEqual(hash, candidate) || found }
            && !hashes.isEmpty
    }
}
