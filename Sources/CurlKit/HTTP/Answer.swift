import PinpostCore

/// The answer as it streams in.
struct Answer: Sendable {
    /// Known once the transfer has ended.
    var status = 0
    /// The header fields, a line each.
    private(set) var head: [UInt8] = []
    private(set) var body: [UInt8] = []
    /// Room that most answers need: made by the sender, who also frees it, so that the threads do not wait for each
    /// other in malloc.
    private static let room = 960
    private(set) var isTooLarge = false
    /// A page of which the rest was not read.
    private(set) var isCut = false
    /// The empty line after the headers has come; libcurl takes a head that breaks off for an answer without body.
    private(set) var hasWholeHead = false
    private var headerBytes = 0

    /// Header bytes of one exchange, interim answers included.
    private static let headerLimit = 256 << 10

    init() {
        head.reserveCapacity(Self.room)
        body.reserveCapacity(Self.room)
    }

    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            isTooLarge = true
            return false
        }
        // A status line starts the next answer: what came before was interim.
        switch line.first {
        case UInt8(ascii: "H") where line.starts(with: Self.statusLine):
            head.removeAll(keepingCapacity: true)
            hasWholeHead = false
        case 0x0D, 0x0A: hasWholeHead = true
        default: head.append(contentsOf: line)
        }
        return true
    }

    mutating func takeBody(_ bytes: UnsafeRawBufferPointer, limit: Int, pageLimit: Int?) -> Bool {
        guard body.count + bytes.count <= limit else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: bytes)
        guard let pageLimit, body.count > pageLimit, !isPicture else { return true }
        body.removeLast(body.count - pageLimit)
        isCut = true
        return false
    }

    /// By the first bytes, whatever the header says.
    private var isPicture: Bool {
        let type = PictureType.sniff(Array(body.prefix(PictureType.prefixLength)))
        return type != nil && type != .svg
    }

    private static let statusLine = Array("HTTP/".utf8)
}
