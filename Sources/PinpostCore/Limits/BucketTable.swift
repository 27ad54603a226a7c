public import FoundationEssentials
internal import Synchronization

/// The supplies of many clients under one rate, in memory that has a limit; a restart fills them all.
public final class BucketTable<Key: Hashable & Sendable>: Sendable {
    private let rate: Rate?
    private let limit: Int
    private let buckets = Mutex<[Key: TokenBucket]>([:])

    /// Without a rate nothing is limited.
    public init(_ rate: Rate?, upTo limit: Int) {
        self.rate = rate
        self.limit = limit
    }

    public var count: Int { buckets.withLock { $0.count } }

    /// Takes the amount; where it is not there, takes nothing and says how long it takes to come back, in seconds.
    public func take(_ amount: Double = 1, from key: Key, at now: Date) -> Double? {
        change(key, at: now) { bucket, rate in
            if let lack = bucket.lack(of: amount, rate, at: now) { return lack }
            bucket.spend(amount, rate, at: now)
            return nil
        }
    }

    /// As `take`, but nothing is taken: what the request costs is charged later.
    public func lack(of amount: Double = 1, for key: Key, at now: Date) -> Double? {
        change(key, at: now) { bucket, rate in bucket.lack(of: amount, rate, at: now) }
    }

    /// Takes the amount although it may not be there.
    public func charge(_ amount: Double, to key: Key, at now: Date) {
        _ = change(key, at: now) { bucket, rate in
            bucket.spend(amount, rate, at: now)
            return nil
        }
    }

    private func change(_ key: Key, at now: Date, _ body: (inout TokenBucket, Rate) -> Double?) -> Double? {
        guard let rate else { return nil }
        return buckets.withLock { buckets in
            var bucket = buckets[key] ?? TokenBucket(rate, at: now)
            let result = body(&bucket, rate)
            if buckets[key] == nil, buckets.count >= limit { Self.makeRoom(in: &buckets, limit, rate, at: now) }
            buckets[key] = bucket
            return result
        }
    }

    /// Full buckets say nothing; where those are too few, others go as well: memory comes first.
    private static func makeRoom(in buckets: inout [Key: TokenBucket], _ limit: Int, _ rate: Rate, at now: Date) {
        buckets = buckets.filter { _, bucket in
            var bucket = bucket
            return !bucket.isFull(rate, at: now)
        }
        let goal = limit / 4 * 3
        guard buckets.count > goal else { return }
        for key in Array(buckets.keys.prefix(buckets.count - goal)) { buckets[key] = nil }
    }
}
