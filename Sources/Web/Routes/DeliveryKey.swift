internal import Cryptography
internal import PinpostCore
internal import Synchronization

/// The keys whose requests are being received: a second request with one of them has to wait (409).
final class KeysUnderWay: Sendable {
    private let keys = Mutex<Set<[UInt8]>>([])

    /// nil while another request holds the key.
    func begin(_ key: [UInt8]) -> KeyUnderWay? {
        keys.withLock { $0.insert(key).inserted } ? KeyUnderWay(key, of: self) : nil
    }

    fileprivate func end(_ key: [UInt8]) { _ = keys.withLock { $0.remove(key) } }
}

/// One key; it is free again with the last reference, also where a client leaves in the middle of its body.
final class KeyUnderWay: Sendable {
    let key: [UInt8]
    private let table: Mutex<KeysUnderWay?>

    fileprivate init(_ key: [UInt8], of table: KeysUnderWay) {
        self.key = key
        self.table = Mutex(table)
    }

    /// The message is durable: from now on the store knows the key.
    func end() {
        let table = table.withLock { table in
            defer { table = nil }
            return table
        }
        table?.end(key)
    }

    deinit { end() }
}

/// What identifies a generic delivery, and what it has to be equal to.
enum DeliveryKey {
    /// Of one hook only: two hooks may use the same text.
    static func of(_ hook: Hook.ID, idempotencyKey: String) -> [UInt8] {
        SHA256.hash("\(hook.rawValue)\n\(idempotencyKey)")
    }

    /// Over everything that decides what becomes of a body.
    static func fingerprint(_ body: StoredBytes, _ envelope: Envelope) -> String {
        var text = (envelope.contentType ?? "") + "\n"
        for (name, value) in envelope.fields.sorted(by: { $0.key < $1.key }) {
            text += "\(name.utf8.count):\(name)\(value.utf8.count):\(value)"
        }
        return SHA256.hash(Array(text.utf8) + body.sha256).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
