public import PinpostCore

/// The secret part of a mail address: 128 random bits in lower-case base32 and two check characters.
///
/// Mail systems change the case of addresses, so either case is read.
public struct AddressToken: Sendable {
    private static let byteCount = 16
    private static let checkCharacters = 2
    /// Characters of every token.
    public static let length = 28

    /// In lower case.
    public let text: Secret

    public static func random(using random: inout SystemRandom) -> AddressToken {
        var bytes = random.bytes(byteCount)
        defer { bytes.withUnsafeMutableBytes { Secret.wipe($0) } }
        var text = CheckedText.make(bytes, prefix: "", checkCharacters: checkCharacters)
        return AddressToken(text: Secret(taking: &text))
    }

    private init(text: Secret) { self.text = text }

    /// Reads the token of an address; nil when it cannot be one.
    public init?(_ text: some StringProtocol) {
        var bytes = text.utf8.prefix(Self.length + 1).map(\.asciiLowercased)
        defer { bytes.withUnsafeMutableBytes { Secret.wipe($0) } }
        guard
            CheckedText.isValid(
                bytes, prefix: "", byteCount: Self.byteCount, checkCharacters: Self.checkCharacters)
        else { return nil }
        self.text = Secret(copying: bytes)
    }

    /// SHA-256 of the lower-case text: how the store finds the address.
    public var hash: [UInt8] { text.withBytes { SHA256.hash($0) } }
}
