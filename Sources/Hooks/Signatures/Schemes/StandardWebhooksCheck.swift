internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// Standard Webhooks 1.0.0, and Svix, which calls the headers `svix-…`.
struct StandardWebhooksCheck: SignatureCheck {
    private static let window = ReplayWindow(seconds: 300)
    private static let mostSignatures = 32
    private static let mostKeys = 8

    private let keys: [Key]
    private let prefixes: [String]

    /// The secret is one key or, while they are replaced, several with white space between them.
    ///
    /// `whsec_` and a bare key are base64 of a shared one; `whpk_` is base64 of a public Ed25519 key, `whsk_` of the
    /// private one with the public one behind it, which alone counts here.
    init(_ secret: Secret, prefixes: [String]) throws(SignatureRefusal) {
        self.prefixes = prefixes
        _ = try SharedSecret(secret)
        let words = secret.text.split(whereSeparator: \.isWhitespace)
        guard words.count <= Self.mostKeys else {
            throw SignatureRefusal(.secretUnusable, "There are more than \(Self.mostKeys) keys.")
        }
        var keys: [Key] = []
        for word in words { keys.append(try Key(word)) }
        self.keys = keys
    }

    func verify(_ request: SignedRequest, now: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let names = try names(in: request)
        let id = try request.header(names + "-id")
        let time = try request.header(names + "-timestamp")
        let signatures = try request.header(names + "-signature").split(separator: " ").prefix(Self.mostSignatures)
        let signedAt = try Self.window.check(time, in: "The header \(names)-timestamp", now: now)
        let message = Array("\(id).\(time).".utf8) + request.body
        let isSigned = signatures.contains { signature in keys.contains { $0.made(signature, of: message) } }
        guard isSigned else { throw .wrong("The header \(names)-signature") }
        return VerifiedDelivery(id: id, signedAt: signedAt)
    }

    /// All three headers have the same prefix.
    private func names(in request: SignedRequest) throws(SignatureRefusal) -> String {
        for prefix in prefixes where try request.optionalHeader(prefix + "-id") != nil { return prefix }
        return prefixes[0]
    }

    private enum Key: Sendable {
        case shared(SharedSecret)
        case ed25519(VerifyingKey)

        init(_ word: Substring) throws(SignatureRefusal) {
            let prefix = ["whsec_", "whpk_", "whsk_"].first { word.hasPrefix($0) } ?? ""
            guard var bytes = SignatureEncoding.base64.decode(word.dropFirst(prefix.count)), !bytes.isEmpty else {
                throw SignatureRefusal(.secretUnusable, "A key is whsec_ or whpk_ and base64, or base64 alone.")
            }
            switch prefix {
            case "whpk_": self = try Self.publicKey(bytes)
            case "whsk_" where bytes.count == 64: self = try Self.publicKey(Array(bytes.suffix(32)))
            case "whsk_":
                throw SignatureRefusal(.secretUnusable, "A whsk_ key signs; give the whpk_ key that belongs to it.")
            default: self = .shared(try SharedSecret(keyBytes: &bytes))
            }
        }

        private static func publicKey(_ bytes: [UInt8]) throws(SignatureRefusal) -> Key {
            do throws(CryptographyError) { return .ed25519(try VerifyingKey(ed25519: bytes)) } catch {
                throw SignatureRefusal(.secretUnusable, "A whpk_ key is base64 of 32 bytes that are a public key.")
            }
        }

        /// Whether this key made the signature, `v1,` or `v1a,` and base64; other versions are passed over.
        func made(_ signature: Substring, of message: [UInt8]) -> Bool {
            let parts = signature.split(separator: ",", maxSplits: 1)
            guard parts.count == 2, let code = SignatureEncoding.base64.decode(parts[1]) else { return false }
            switch (self, parts[0]) {
            case (.shared(let secret), "v1"): return secret.made(code, of: message)
            case (.ed25519(let key), "v1a"): return key.verifies(code, of: message)
            default: return false
            }
        }
    }
}
