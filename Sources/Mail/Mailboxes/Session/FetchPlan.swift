/// Which mails are fetched by one command, and which commands belong together.
struct FetchPlan {
    /// A larger mail has a command of its own, in bytes.
    static let smallMail = 256 << 10
    /// Mails that one command asks for.
    static let setCount = 50
    /// Mails that are fetched before they are stored together, and their bytes: the last ones of all are stored while
    /// nothing is fetched.
    static let roundCount = 100
    static let roundBytes = 32 << 20

    /// Each round is a list of commands, each command a list of ascending UIDs.
    private(set) var rounds: [[[UInt32]]] = []

    /// Plans ascending UIDs.
    init(_ uids: [UInt32], sizes: [UInt32: Int]) {
        var round: [[UInt32]] = []
        var (roundCount, roundBytes) = (0, 0)
        for set in Self.sets(of: uids, sizes: sizes) {
            let bytes = set.reduce(0) { $0 + (sizes[$1] ?? Self.smallMail) }
            let isFull = roundCount + set.count > Self.roundCount || roundBytes + bytes > Self.roundBytes
            if !round.isEmpty, isFull {
                rounds.append(round)
                (round, roundCount, roundBytes) = ([], 0, 0)
            }
            round.append(set)
            roundCount += set.count
            roundBytes += bytes
        }
        if !round.isEmpty { rounds.append(round) }
    }

    private static func sets(of uids: [UInt32], sizes: [UInt32: Int]) -> [[UInt32]] {
        var sets: [[UInt32]] = []
        var isOpen = false
        for uid in uids {
            let isSmall = (sizes[uid] ?? smallMail) < smallMail
            if isSmall, isOpen, let last = sets.last, last.count < setCount {
                sets[sets.count - 1].append(uid)
            } else {
                sets.append([uid])
            }
            isOpen = isSmall
        }
        return sets
    }
}
