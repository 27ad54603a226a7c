/// How the bytes of a signature are written as text.
public enum SignatureEncoding: String, Sendable, CaseIterable {
    case hex, base64

    /// nil for text that is not of this form.
    func decode(_ text: some StringProtocol) -> [UInt8]? {
        switch self {
        case .hex: Self.hexBytes(Array(text.utf8))
        case .base64: Self.base64Bytes(text)
        }
    }

    private static func hexBytes(_ digits: [UInt8]) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexDigitValue, let low = digits[index + 1].hexDigitValue else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func base64Bytes(_ text: some StringProtocol) -> [UInt8]? {
        var decoder = Base64Decoder()
        var bytes: [UInt8] = []
        decoder.decode(Array(text.utf8), into: &bytes)
        decoder.finish(into: &bytes)
        return decoder.isValid ? bytes : nil
    }
}
