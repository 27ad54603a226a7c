internal import Cryptography
internal import PinpostCore

/// A secret that both sides hold, and the two questions that may be asked of it.
struct SharedSecret: Sendable {
    private let secret: Secret

    /// - Throws: `.secretUnusable` for an empty or blank one, with which everybody could sign.
    init(_ secret: Secret) throws(SignatureRefusal) {
        let isBlank = secret.withBytes { bytes in bytes.allSatisfy { $0 <= 0x20 } }
        guard !isBlank else { throw SignatureRefusal(.secretUnusable, "The secret is empty.") }
        self.secret = secret
    }

    /// Takes the bytes of a key that was written as text; any bytes but none will do.
    init(keyBytes bytes: inout [UInt8]) throws(SignatureRefusal) {
        guard !bytes.isEmpty else { throw SignatureRefusal(.secretUnusable, "The key is empty.") }
        secret = Secret(taking: &bytes)
    }

    /// Whether the code is the keyed hash of the message; constant time.
    func made(_ code: [UInt8], of message: [UInt8], hash: HMAC.Hash = .sha256) -> Bool {
        HMAC.areEqual(HMAC.code(of: message, key: secret, hash: hash), code)
    }

    /// Whether the bytes are the secret itself; the time does not tell its length either.
    func equals(_ bytes: [UInt8]) -> Bool {
        HMAC.areEqual(SHA256.hash(bytes), secret.withBytes { SHA256.hash($0) })
    }
}

extension Secret {
    /// The secret as text without the white space around it; for keys that have a textual form.
    var text: String { withBytes { String(decoding: $0, as: UTF8.self) }.trimmed }
}
