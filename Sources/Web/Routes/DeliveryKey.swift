internal import Cryptography
internal import PinpostCore

/// What identifies a generic delivery, and what it has to be equal to.
enum DeliveryKey {
    /// Of one hook only: two hooks may use the same text.
    static func of(_ hook: Hook.ID, idempotencyKey: String) -> [UInt8] {
        SHA256.hash("\(hook.rawValue)\n\(idempotencyKey)")
    }

    /// Over everything that decides what becomes of a body.
    static func fingerprint(_ content: (contentType: String?, digest: [UInt8]), _ fields: [String: String]) -> String {
        var text = (content.contentType ?? "") + "\n"
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            text += "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }
        return SHA256.hash(Array(text.utf8) + content.digest).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
