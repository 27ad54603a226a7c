/// UIDs as a command takes them (RFC 9051 `sequence-set`): `3,5:9`.
enum UIDSet {
    /// Writes ascending UIDs with their ranges.
    static func text(_ uids: [UInt32]) -> String {
        var ranges: [ClosedRange<UInt32>] = []
        for uid in uids {
            if let last = ranges.last, last.upperBound < .max, uid == last.upperBound + 1 {
                ranges[ranges.count - 1] = last.lowerBound...uid
            } else {
                ranges.append(uid...uid)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound):\($0.upperBound)" }
            .joined(separator: ",")
    }
}
