public import PinpostCore

/// One key of the ring: 32 random bytes under a name such as `k1`.
public struct MasterKey: Sendable {
    public static let length = 32

    public let id: String
    public let secret: Secret

    /// What the store keeps to recognise this key without knowing it: the first 8 bytes of HMAC(key, "kcv").
    public var checkValue: [UInt8] { Array(HMAC.code(of: Array("kcv".utf8), key: secret).prefix(8)) }

    init(id: String, secret: Secret) {
        self.id = id
        self.secret = secret
    }

    static func random(id: String, using random: inout SystemRandom) -> MasterKey {
        var bytes = random.bytes(length)
        return MasterKey(id: id, secret: Secret(taking: &bytes))
    }

    /// A `k` and 1…20 letters or digits.
    static func isValid(id: some StringProtocol) -> Bool {
        (2...21).contains(id.utf8.count) && id.utf8.first == UInt8(ascii: "k")
            && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
}
