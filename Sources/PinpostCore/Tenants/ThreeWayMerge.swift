/// Puts together two changes of one record that began at the same state: what one left alone is the other's.
struct ThreeWayMerge<Record> {
    private let new: Record
    private let old: Record
    private(set) var result: Record

    /// `old` became `new` here, and meanwhile somebody else made it `current`.
    init(of new: Record, from old: Record, onto current: Record) {
        self.new = new
        self.old = old
        result = current
    }

    mutating func take<Value: Equatable>(_ field: WritableKeyPath<Record, Value>) {
        if new[keyPath: field] != old[keyPath: field] { result[keyPath: field] = new[keyPath: field] }
    }
}

extension Server {
    /// The settings that were changed since `old`, in the place of those that somebody else has made it meanwhile.
    public func changed(from old: Server, onto current: Server) -> Server {
        var merge = ThreeWayMerge(of: self, from: old, onto: current)
        merge.take(\.allowsPrivateNetwork)
        merge.take(\.caPEM)
        merge.take(\.maxInFlight)
        merge.take(\.uploadLimit)
        return merge.result
    }
}

extension MailboxSettings {
    /// The settings that were changed since `old`, in the place of those that somebody else has made it meanwhile.
    public func changed(from old: MailboxSettings, onto current: MailboxSettings) -> MailboxSettings {
        var merge = ThreeWayMerge(of: self, from: old, onto: current)
        merge.take(\.host)
        merge.take(\.port)
        merge.take(\.encryption)
        merge.take(\.username)
        merge.take(\.oauth)
        merge.take(\.folder)
        merge.take(\.recipientHeaders)
        merge.take(\.afterwards)
        merge.take(\.failureFolder)
        merge.take(\.newOnly)
        merge.take(\.trustedAuthServers)
        merge.take(\.caPEM)
        merge.take(\.pin)
        merge.take(\.proxy)
        return merge.result
    }
}
