/// Recognises a mail that is delivered twice, although each delivery adds trace fields in front.
///
/// A mail is known by its Message-ID, by the other header fields that its sender wrote and that decide what is pinned
/// (`fields`), and by everything behind the header, whatever its lines end with. A Message-ID alone proves nothing: some
/// senders use one for all their mails. Without Message-ID the Date has to do; a mail with neither counts as a whole,
/// header and all.
public struct MailFingerprint: ~Copyable {
    /// The header fields that make a mail another one, in lower case; mail servers leave them as they are.
    public static let fields = ["message-id", "date", "from", "subject", "content-type", "content-transfer-encoding"]
    /// A longer header block is no mail's; in bytes.
    public static let headerLimit = 256 << 10
    /// The header is looked for in steps of so many bytes: a mail in wait holds little more than its header.
    private static let headerStep = 2 << 10

    /// The header block with the empty line behind it, or the first 256 KiB of a longer one.
    public private(set) var header: [UInt8] = []
    public private(set) var isInHeader = true
    private var content = TextHash()

    public init() {}

    /// Takes the next piece of the mail.
    public mutating func update(_ piece: [UInt8]) { piece.withUnsafeBytes { update($0) } }

    public mutating func update(_ piece: UnsafeRawBufferPointer) {
        content.update(UnsafeRawBufferPointer(rebasing: piece.dropFirst(takeHeader(from: piece))))
    }

    /// Takes what belongs to the header from the front of a piece, for those who know the digest of what is behind it.
    ///
    /// Returns how many bytes those are.
    public mutating func takeHeader(from piece: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while isInHeader, taken < piece.count {
            let length = min(Self.headerStep, Self.headerLimit - header.count, piece.count - taken)
            taken += updateHeader(UnsafeRawBufferPointer(rebasing: piece[taken..<(taken + length)]))
        }
        return taken
    }

    /// Returns how many of the bytes belong to the header.
    private mutating func updateHeader(_ part: UnsafeRawBufferPointer) -> Int {
        // The blank line may lie across two parts.
        let (before, scanned) = (header.count, max(header.count - 3, 0))
        header += part
        if let end = Self.endOfHeader(in: header, from: scanned) {
            isInHeader = false
            header.removeSubrange(end...)
        } else if header.count == Self.headerLimit {
            isInHeader = false
        }
        return header.count - before
    }

    /// The delivery key for one recipient; 32 bytes.
    public mutating func key(for address: String) -> [UInt8] { keys(for: [address])[0] }

    /// The delivery keys for several recipients of this one mail, in order; a new mail begins afterwards.
    ///
    /// `known` is the digest of what is behind the header, as `TextHash` gives it, where only that was taken here.
    public mutating func keys(for addresses: [String], content known: [UInt8]? = nil) -> [[UInt8]] {
        let taken = content.finish()
        let digest = SHA256.hash(Self.identity(of: header)) + (known ?? taken)
        (header, isInHeader) = ([], true)
        return addresses.map { SHA256.hash(Array("mail|\($0)|".utf8) + digest) }
    }

    /// What of a header block makes the mail another one: the values of `fields`, by name and then in order.
    private static func identity(of header: [UInt8]) -> [UInt8] {
        var values = [[UInt8]](repeating: [], count: fields.count)
        var field: Int?
        let lines = header.split(separator: UInt8(ascii: "\n"))
        for line in lines {
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                if let field { append(line, to: &values[field]) }
                continue
            }
            field = fields.firstIndex { begins(line, with: $0) }
            guard let field else { continue }
            values[field].append(UInt8(ascii: "\n"))
            append(line.dropFirst(fields[field].utf8.count + 1), to: &values[field])
        }
        // Nothing says when it was sent: only the trace fields tell two that are alike from one that came twice.
        guard values[0].count > 1 || values[1].count > 1 else { return whole(lines) }
        return Array(values.joined(separator: [0]))
    }

    /// All lines of a header that are not empty, whatever they end with.
    private static func whole(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        let texts = lines.map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
        return Array(texts.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "\n")]))
    }

    /// Without white space, which servers fold anew.
    private static func append(_ text: ArraySlice<UInt8>, to value: inout [UInt8]) {
        value += text.lazy.filter { $0 > 0x20 }
    }

    /// Whether it is the field of that name (RFC 5322 section 2.2).
    private static func begins(_ line: ArraySlice<UInt8>, with name: String) -> Bool {
        var rest = line[...]
        for byte in name.utf8 {
            guard let next = rest.popFirst(), next == byte || next | 0x20 == byte else { return false }
        }
        return rest.first == UInt8(ascii: ":")
    }

    /// Behind the first empty line.
    private static func endOfHeader(in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\n") else {
                index += 1
                continue
            }
            let next = index + 1
            if next < bytes.count, bytes[next] == UInt8(ascii: "\n") { return next + 1 }
            if next + 1 < bytes.count, bytes[next] == UInt8(ascii: "\r"), bytes[next + 1] == UInt8(ascii: "\n") {
                return next + 2
            }
            index = next
        }
        return nil
    }
}
