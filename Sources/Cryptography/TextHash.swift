/// SHA-256 of a text, whatever its lines end with: CRLF, LF and CR are one, and blank lines at its end count nothing.
///
/// Hashed is the text with CRLF and with one line end at its end, as mail servers hand it over (RFC 5321 section 2.3.8):
/// what comes so is hashed where it lies. One owner, one thread at a time.
public struct TextHash: ~Copyable {
    private var hash = SHA256()
    /// Line ends behind which nothing has come yet.
    private var lineEnds = 0
    /// An LF that comes now belongs to the line end before it.
    private var isBehindCR = false
    private var isBegun = false

    private static let cr = UInt8(ascii: "\r")
    private static let lf = UInt8(ascii: "\n")
    /// So much is written anew before it is hashed, in bytes.
    private static let outputLength = 16 << 10

    public init() {}

    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.firstIndex(where: { !Self.isLineEnd($0) }),
            let last = bytes.lastIndex(where: { !Self.isLineEnd($0) })
        else { return count(bytes) }
        count(UnsafeRawBufferPointer(rebasing: bytes[..<start]))
        flushLineEnds()
        isBehindCR = false
        isBegun = true
        let text = UnsafeRawBufferPointer(rebasing: bytes[start...last])
        if Self.hasOnlyCRLF(text) {
            hash.update(text)
        } else {
            hashAnew(text)
        }
        count(UnsafeRawBufferPointer(rebasing: bytes[(last + 1)...]))
    }

    public mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of everything so far, 32 bytes; afterwards a new text begins.
    public mutating func finish() -> [UInt8] {
        lineEnds = isBegun ? 1 : 0
        flushLineEnds()
        (isBehindCR, isBegun) = (false, false)
        return hash.finish()
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == lf || byte == cr }

    /// Takes bytes that are line ends.
    private mutating func count(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes {
            if byte == Self.cr || !isBehindCR { lineEnds += 1 }
            isBehindCR = byte == Self.cr
        }
    }

    private mutating func flushLineEnds() {
        while lineEnds > 0 {
            let lines = min(lineEnds, Self.outputLength / 2)
            hash.update((0..<(2 * lines)).map { $0 & 1 == 0 ? Self.cr : Self.lf })
            lineEnds -= lines
        }
    }

    /// Whether each LF has its CR and the other way round; the first and the last byte are no line ends.
    ///
    /// Nothing is decided inside of the loop, so that many bytes are looked at in one step.
    private static func hasOnlyCRLF(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var odd: UInt8 = 0
        for index in 1..<max(bytes.count, 1) {
            odd |= (bytes[index] == lf ? 1 : 0) ^ (bytes[index &- 1] == cr ? 1 : 0)
        }
        return odd == 0
    }

    /// Hashes a text with its line ends as they should be.
    private mutating func hashAnew(_ bytes: UnsafeRawBufferPointer) {
        var output: [UInt8] = []
        output.reserveCapacity(Self.outputLength + 2)
        var previous: UInt8 = 0
        for byte in bytes {
            switch byte {
            case Self.lf where previous == Self.cr: break
            case Self.lf, Self.cr:
                output.append(Self.cr)
                output.append(Self.lf)
            default: output.append(byte)
            }
            previous = byte
            if output.count >= Self.outputLength {
                hash.update(output)
                output.removeAll(keepingCapacity: true)
            }
        }
        hash.update(output)
    }
}
