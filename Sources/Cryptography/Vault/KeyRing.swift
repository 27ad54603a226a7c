public import PinpostCore

/// The master keys: the first seals, all of them open.
public struct KeyRing: Sendable {
    public let keys: [MasterKey]

    public var current: MasterKey { keys[0] }

    /// Takes at least one key; nil for none and for two of one name.
    init?(_ keys: [MasterKey]) {
        guard !keys.isEmpty, Set(keys.map(\.id)).count == keys.count else { return nil }
        self.keys = keys
    }

    public func key(_ id: String) -> MasterKey? { keys.first { $0.id == id } }

    /// Compares the ring with the check values that the store keeps, by key id; a key that seals nothing (any more)
    /// may be missing.
    /// - Throws: `.keyMissing` or `.keyWrong`, naming the key.
    public func verify(
        against checkValues: [String: [UInt8]], needed: Set<String>
    ) throws(VaultError) {
        for (id, value) in checkValues.sorted(by: { $0.key < $1.key }) {
            guard let key = key(id) else {
                guard needed.contains(id) else { continue }
                throw VaultError(
                    .keyMissing, "The master key \(id) is not in the key ring, and stored secrets need it. Put it back."
                )
            }
            guard HMAC.areEqual(key.checkValue, value) else {
                throw VaultError(
                    .keyWrong, "The master key \(id) is not the one that the store was written with. Put that one back."
                )
            }
        }
    }

    /// The keys whose check values the store lacks.
    public func unknown(to checkValues: [String: [UInt8]]) -> [MasterKey] {
        keys.filter { checkValues[$0.id] == nil }
    }
}
