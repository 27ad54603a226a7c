/// What a client sends, in lines and then in a mail's bytes; reading blocks.
struct LMTPInput {
    private let socket: any LMTPStream
    private let lineLimit: Int
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    /// The bytes that were received and not yet used.
    private var unused = 0..<0

    init(_ socket: any LMTPStream, lineLimit: Int) {
        self.socket = socket
        self.lineLimit = lineLimit
    }

    /// Why there is nothing more to read.
    enum End: Error, Sendable, Hashable {
        case closed, timedOut, tooLong, bareLineEnd
    }

    /// Whether a whole line waits that was sent together with the one before.
    var hasLine: Bool { buffer[unused].contains(UInt8(ascii: "\n")) }

    /// The next line without its CR LF.
    mutating func line(until deadline: ContinuousClock.Instant) throws(End) -> [UInt8] {
        var scanned = 0
        while true {
            let rest = buffer[unused].dropFirst(scanned)
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[unused.lowerBound..<end]
                unused = (end + 1)..<unused.upperBound
                guard line.count < lineLimit else { throw .tooLong }
                guard line.last == UInt8(ascii: "\r"), !line.dropLast().contains(UInt8(ascii: "\r")) else {
                    throw .bareLineEnd
                }
                return Array(line.dropLast())
            }
            scanned = unused.count
            guard scanned < lineLimit else { throw .tooLong }
            try fill(until: deadline)
        }
    }

    /// Hands `body` the bytes that came; it says how many of them it used, nil for all.
    mutating func bytes(
        until deadline: ContinuousClock.Instant, _ body: (UnsafeRawBufferPointer) -> Int?
    ) throws(End) -> Bool {
        if unused.isEmpty { try fill(until: deadline) }
        let range = unused
        let used = buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
        unused = (range.lowerBound + (used ?? range.count))..<range.upperBound
        return used != nil
    }

    /// Receives behind what is there, which is moved to the front first.
    private mutating func fill(until deadline: ContinuousClock.Instant) throws(End) {
        if unused.lowerBound > 0 {
            buffer.replaceSubrange(0..<unused.count, with: Array(buffer[unused]))
            unused = 0..<unused.count
        }
        let start = unused.upperBound
        let received = buffer.withUnsafeMutableBytes { bytes in
            socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), until: deadline)
        }
        switch received {
        case .bytes(let count): unused = unused.lowerBound..<(start + count)
        case .closed: throw .closed
        case .timedOut: throw .timedOut
        }
    }
}
