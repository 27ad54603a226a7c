/// Takes the signed content out of a CMS `SignedData` as it streams by (RFC 5652 section 5, BER).
///
/// Nothing is verified: the signature says nothing about which parts become pins. Definite and indefinite lengths and
/// content in pieces are read; whatever else stands in the structure is passed over.
struct SignedContent {
    private enum State {
        /// The tag and the length of the next piece, as far as they came.
        case header([UInt8])
        case data(left: Int)
        case over
        /// No structure any more, or more pieces than any program makes; the rest is not looked at.
        case broken
    }

    /// Programs make pieces of a thousand bytes and more; millions of tiny ones would only cost time.
    private static let mostPieces = 200_000

    /// The bytes that are enough to find the content: certificates and signatures stand behind it.
    static let longestHead = 1_024

    private var state: State
    private let isInPieces: Bool
    /// Pieces, and marks of their beginning and end, so far.
    private var pieces = 0

    /// Starts with the first bytes of a part; nil where they are no signed data with its content inside.
    ///
    /// `count` is how many of them come before the content.
    static func begin(in head: [UInt8]) -> (content: SignedContent, count: Int)? {
        var reader = BERReader(head)
        guard reader.enter(0x30), reader.skip(object: signedData), reader.enter(0xA0), reader.enter(0x30),
            reader.skip(0x02), reader.skip(0x31), reader.enter(0x30), reader.skip(object: data), reader.enter(0xA0),
            let octets = reader.header(), octets.tag == 0x04 || octets.tag == 0x24
        else { return nil }
        let isInPieces = octets.tag == 0x24
        guard isInPieces || octets.length != nil else { return nil }
        return (SignedContent(isInPieces: isInPieces, length: octets.length ?? 0), reader.position)
    }

    private init(isInPieces: Bool, length: Int) {
        self.isInPieces = isInPieces
        state = isInPieces ? .header([]) : .data(left: length)
    }

    /// Hands the next bytes of the content to `body`.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws(MailError) -> Void
    ) throws(MailError) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .over, .broken: return
            case .data(let left):
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(left))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(left))
                try body(piece)
                state =
                    piece.count < left ? .data(left: left - piece.count) : isInPieces ? .header([]) : .over
            case .header(let begun):
                if begun.isEmpty { pieces += 1 }
                state = pieces > Self.mostPieces ? .broken : Self.next(begun + [rest[0]])
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
            }
        }
    }

    /// Whether all of the content came.
    var isWhole: Bool {
        if case .over = state { return true }
        return false
    }

    /// What a piece's header, as far as it came, leads to.
    private static func next(_ header: [UInt8]) -> State {
        // Pieces inside of pieces need no counting: certificates, revocations or signers come behind all of them.
        if [0xA0, 0xA1, 0x31].contains(header[0]) { return .over }
        guard header[0] == 0x04 || header[0] == 0x24 || header[0] == 0 else { return .broken }
        var reader = BERReader(header)
        guard let piece = reader.header() else { return header.count < 10 ? .header(header) : .broken }
        guard piece.tag == 0x04 else { return .header([]) }
        return piece.length.map { $0 > 0 ? .data(left: $0) : .header([]) } ?? .broken
    }

    /// 1.2.840.113549.1.7.2 and .1, as encoded.
    private static let signedData: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
}

/// Reads tags and lengths (ITU-T X.690 section 8.1) in bytes that are all there.
private struct BERReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next tag, of one byte, and its length, which is nil where an end mark takes its place.
    mutating func header() -> (tag: UInt8, length: Int?)? {
        guard position + 1 < bytes.count, bytes[position] & 0x1F != 0x1F else { return nil }
        let tag = bytes[position]
        let first = bytes[position + 1]
        guard first & 0x80 != 0 else {
            position += 2
            return (tag, Int(first))
        }
        let count = Int(first & 0x7F)
        guard count <= 6, position + 2 + count <= bytes.count else { return nil }
        let length = bytes.big(position + 2, count)
        position += 2 + count
        return (tag, count == 0 ? nil : length)
    }

    /// Goes into a structure.
    mutating func enter(_ tag: UInt8) -> Bool { header()?.tag == tag }

    /// Goes behind a value of a stated length, or behind a structure of such values.
    mutating func skip(_ tag: UInt8) -> Bool {
        guard let value = header(), value.tag == tag else { return false }
        guard let length = value.length else {
            while let inner = header() {
                if inner.tag == 0 { return true }
                guard let length = inner.length, length <= bytes.count - position else { return false }
                position += length
            }
            return false
        }
        guard length <= bytes.count - position else { return false }
        position += length
        return true
    }

    mutating func skip(object: [UInt8]) -> Bool {
        let start = position
        return skip(0x06) && bytes[..<position].suffix(object.count).elementsEqual(object)
            && position - start == object.count + 2
    }
}
