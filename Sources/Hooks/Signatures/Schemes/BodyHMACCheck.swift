internal import Cryptography
internal import FoundationEssentials
internal import PinpostCore

/// A keyed hash of the body in one header: GitHub, WhatsApp, LINE, Shopify, Hookdeck, Convoy, and any that is described.
struct BodyHMACCheck: SignatureCheck {
    /// A header may hold several signatures, with commas between them, while a secret is replaced.
    private static let mostSignatures = 16

    private let secret: SharedSecret
    private let format: HMACFormat
    private let identity: DeliveryIdentity
    /// Where the signature with the new secret stands while the old one is replaced.
    private let secondHeader: String?

    init(
        _ secret: Secret, format: HMACFormat, identity: DeliveryIdentity = .none, secondHeader: String? = nil
    ) throws(SignatureRefusal) {
        self.secret = try SharedSecret(secret)
        self.secondHeader = secondHeader
        self.format = format
        self.identity = identity
    }

    func verify(_ request: SignedRequest, now _: Date) throws(SignatureRefusal) -> VerifiedDelivery {
        let place = "The header \(format.header)"
        let second = try secondHeader.flatMap { name throws(SignatureRefusal) in try request.optionalHeader(name) }
        let first = second == nil ? try request.header(format.header) : try request.optionalHeader(format.header)
        let texts = [first, second].compactMap(\.self).flatMap { $0.split(separator: ",") }.prefix(Self.mostSignatures)
        let signatures = texts.compactMap { signature(String($0).trimmed) }
        guard !signatures.isEmpty else { throw .malformed(place, "a signature in the agreed form") }
        guard signatures.contains(where: { secret.made($0.code, of: request.body, hash: $0.algorithm.hash) }) else {
            throw .wrong(place)
        }
        return VerifiedDelivery(id: identity.read(from: request))
    }

    private func signature(_ text: String) -> (algorithm: HMACFormat.Algorithm, code: [UInt8])? {
        var algorithm = format.algorithm ?? .sha256
        var digits = text[...]
        if let prefix = format.prefix {
            guard text.hasPrefix(prefix) else { return nil }
            digits = digits.dropFirst(prefix.count)
        } else if let named = HMACFormat.Algorithm.allCases.first(where: { text.hasPrefix($0.rawValue + "=") }) {
            guard format.algorithm ?? named == named else { return nil }
            algorithm = named
            digits = digits.dropFirst(named.rawValue.count + 1)
        }
        let encoding = format.encoding ?? (digits.utf8.count == 2 * algorithm.length ? .hex : .base64)
        guard let code = encoding.decode(digits), code.count == algorithm.length else { return nil }
        return (algorithm, code)
    }
}

extension HMACFormat.Algorithm {
    fileprivate var hash: HMAC.Hash {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }

    /// Of a code, in bytes.
    fileprivate var length: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }
}
