internal import Synchronization

/// Counts what is under way for each key, so that no key has more of it at once than its share.
final class UnderWayTable<Key: Hashable & Sendable>: Sendable {
    private let limit: Int
    private let counts = Mutex<[Key: Int]>([:])

    init(upTo limit: Int) { self.limit = limit }

    /// nil while the key has its share.
    func begin(_ key: Key) -> UnderWay<Key>? {
        let isFree = counts.withLock { counts in
            let count = counts[key, default: 0]
            guard count < limit else { return false }
            counts[key] = count + 1
            return true
        }
        return isFree ? UnderWay(key, in: self) : nil
    }

    fileprivate func end(_ key: Key) {
        counts.withLock { counts in
            let count = counts[key, default: 0] - 1
            counts[key] = count > 0 ? count : nil
        }
    }
}

/// One place; it is free again with the last reference, also where a client leaves in the middle of its body.
final class UnderWay<Key: Hashable & Sendable>: Sendable {
    let key: Key
    private let table: Mutex<UnderWayTable<Key>?>

    fileprivate init(_ key: Key, in table: UnderWayTable<Key>) {
        self.key = key
        self.table = Mutex(table)
    }

    /// Gives the place back before the last reference is gone; once.
    func end() {
        let table = table.withLock { table in
            defer { table = nil }
            return table
        }
        table?.end(key)
    }

    deinit { end() }
}
