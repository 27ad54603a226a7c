/// Finds our own secrets in what people send: tokens of mail addresses and of hooks, however they are escaped.
public enum OwnSecrets {
    /// A shorter word holds no token, in bytes.
    static let shortest = 24
    /// Characters of the token of an address, in base32.
    private static let addressToken = 28
    /// Escapes inside escapes are undone so often: mail filters put links into links.
    private static let mostLayers = 4

    /// Whether a word, or what it stands for once its escapes are undone, holds a token.
    static func areIn(_ word: some StringProtocol) -> Bool {
        var bytes = word.utf8.map(\.asciiLowercased)
        guard bytes.count >= shortest else { return false }
        for _ in 0..<mostLayers {
            if hold(bytes) { return true }
            let plain = unescaped(bytes)
            guard plain.count < bytes.count else { return false }
            bytes = plain
        }
        return hold(bytes)
    }

    /// A link that people may see: without the parameters that hold a secret; nil where the secret is part of the path.
    public static func removed(from link: String) -> String? {
        guard areIn(link) else { return link }
        let body = link.prefix { $0 != "#" }
        let path = body.prefix { $0 != "?" }
        guard !areIn(path) else { return nil }
        let query = body[path.endIndex...].dropFirst().split(separator: "&").filter { !areIn($0) }
        let kept = query.isEmpty ? String(path) : path + "?" + query.joined(separator: "&")
        return areIn(kept) ? nil : kept
    }

    private static func hold(_ bytes: [UInt8]) -> Bool {
        var run = 0
        for (index, byte) in bytes.enumerated() {
            if isBase32(byte) {
                run += 1
            } else if run == addressToken {
                return true
            } else {
                run = 0
            }
            // A hook's token.
            if byte == UInt8(ascii: "_"), bytes[..<index].suffix(3).elementsEqual("pph".utf8),
                bytes.count - index > 20
            {
                return true
            }
        }
        return run == addressToken
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
    }

    /// What stands before the digits of an escape in URLs, HTML, JSON and quoted-printable; how many digits, 0 for any.
    private static let escapes: [(mark: [UInt8], digits: Int, radix: Int)] = [
        (Array("%".utf8), 2, 16), (Array("=".utf8), 2, 16), (Array("&#x".utf8), 0, 16), (Array("&#".utf8), 0, 10),
        (Array("\\u".utf8), 4, 16), (Array("\\x".utf8), 2, 16),
    ]

    /// One layer of escapes undone, in lower case; only ASCII matters.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            if let (byte, end) = escape(in: bytes, at: position) {
                plain.append(byte.asciiLowercased)
                position = end
            } else {
                plain.append(bytes[position])
                position += 1
            }
        }
        return plain
    }

    private static func escape(in bytes: [UInt8], at start: Int) -> (byte: UInt8, end: Int)? {
        guard let form = escapes.first(where: { bytes[start...].starts(with: $0.mark) }) else { return nil }
        let rest = bytes[(start + form.mark.count)...]
        let digits = rest.prefix(form.digits == 0 ? 4 : form.digits).prefix {
            digit(of: $0).map { $0 < form.radix } ?? false
        }
        guard !digits.isEmpty, form.digits == 0 || digits.count == form.digits,
            let value = Int(String(decoding: digits, as: UTF8.self), radix: form.radix), (1..<0x80).contains(value)
        else { return nil }
        let isClosed = form.digits == 0 && digits.endIndex < bytes.count && bytes[digits.endIndex] == UInt8(ascii: ";")
        return (UInt8(value), digits.endIndex + (isClosed ? 1 : 0))
    }

    private static func digit(of byte: UInt8) -> Int? { Character(Unicode.Scalar(byte)).hexDigitValue }
}
