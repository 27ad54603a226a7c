internal import COpenSSL
internal import PinpostCore

/// The form of a key file: a line `k<id> <base64 of 32 bytes>` for each key, the current one first; `#` starts a comment.
extension KeyRing {
    static let longestText = 64 * 1024

    /// Reads the lines; `place` is named in errors, the keys never are.
    init(text: [UInt8], place: String) throws(VaultError) {
        var keys: [MasterKey] = []
        for (number, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
            guard let name = words.first, name.first != UInt8(ascii: "#") else { continue }
            let id = String(decoding: name, as: UTF8.self)
            guard words.count == 2, MasterKey.isValid(id: id), let secret = Self.decode(words[1]) else {
                throw VaultError(
                    .keyFile,
                    "Line \(number + 1) of \(place) is not a master key: write `k1 ` and the base64 text of 32 bytes.")
            }
            keys.append(MasterKey(id: id, secret: secret))
        }
        guard let ring = KeyRing(keys) else {
            throw VaultError(.keyFile, "\(place) holds \(keys.isEmpty ? "no master key" : "two keys of one name").")
        }
        self = ring
    }

    /// The text of a file with these keys; the caller wipes it.
    static func text(of keys: [MasterKey]) -> [UInt8] {
        var text = Array(
            "# Master keys of Pinpost: without them no stored secret opens. Back this file up apart.\n".utf8)
        text.reserveCapacity(text.count + keys.count * 80)
        for key in keys {
            text += Array("\(key.id) ".utf8)
            var encoded = [UInt8](repeating: 0, count: encodedLength + 1)
            _ = key.secret.withBytes {
                EVP_EncodeBlock(&encoded, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), CInt($0.count))
            }
            text += encoded.prefix(encodedLength)
            text.append(UInt8(ascii: "\n"))
            encoded.withUnsafeMutableBytes { Secret.wipe($0) }
        }
        return text
    }

    /// 32 bytes make 44 characters, the last of them `=`.
    private static let encodedLength = 44

    private static func decode(_ word: ArraySlice<UInt8>) -> Secret? {
        guard word.count == encodedLength, word.last == UInt8(ascii: "="),
            word.dropLast().allSatisfy({ $0 != UInt8(ascii: "=") })
        else { return nil }
        var encoded = Array(word)
        var decoded = [UInt8](repeating: 0, count: MasterKey.length + 1)
        defer { encoded.withUnsafeMutableBytes { Secret.wipe($0) } }
        guard EVP_DecodeBlock(&decoded, encoded, CInt(encodedLength)) == MasterKey.length + 1 else { return nil }
        defer { decoded.withUnsafeMutableBytes { Secret.wipe($0) } }
        return decoded.withUnsafeBytes {
            Secret(copying: UnsafeRawBufferPointer(rebasing: $0.prefix(MasterKey.length)))
        }
    }
}
