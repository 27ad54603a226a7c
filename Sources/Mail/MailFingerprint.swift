internal import Cryptography

/// Recognises a mail that a mail server delivers twice, although each delivery adds trace fields in front.
///
/// The key is made of the recipient's address, the Message-ID and the content behind the header block; a mail without
/// Message-ID counts as a whole, header and all.
public struct MailFingerprint: ~Copyable {
    /// A longer header block is no mail's.
    private static let headerLimit = 256 << 10
    /// The header is looked for in steps of so many bytes: a mail in wait holds little more than its header.
    private static let headerStep = 2 << 10

    /// The header block with the empty line behind it, or the first 256 KiB of a longer one.
    private(set) var header: [UInt8] = []
    private(set) var isInHeader = true
    /// The Message-ID, once the header is complete and has one.
    private(set) var id: String?
    private var content = SHA256()
    private var whole = SHA256()

    public init() {}

    /// Takes the next piece of the mail.
    public mutating func update(_ piece: [UInt8]) { piece.withUnsafeBytes { update($0) } }

    public mutating func update(_ piece: UnsafeRawBufferPointer) {
        let rest = UnsafeRawBufferPointer(rebasing: piece.dropFirst(takeHeader(from: piece)))
        if id == nil { whole.update(rest) }
        content.update(rest)
    }

    /// Takes what belongs to the header from the front of a piece; returns how many bytes those are.
    mutating func takeHeader(from piece: UnsafeRawBufferPointer) -> Int {
        var taken = 0
        while isInHeader, taken < piece.count {
            let length = min(Self.headerStep, Self.headerLimit - header.count, piece.count - taken)
            let part = UnsafeRawBufferPointer(rebasing: piece[taken..<(taken + length)])
            let count = updateHeader(part)
            whole.update(UnsafeRawBufferPointer(rebasing: part[..<count]))
            taken += count
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
            id = Self.messageID(in: header)
        } else if header.count == Self.headerLimit {
            isInHeader = false
        }
        return header.count - before
    }

    /// The delivery key for one recipient; 32 bytes.
    public mutating func key(for address: String) -> [UInt8] { keys(for: [address])[0] }

    /// The delivery keys for several recipients of this one mail, in order.
    ///
    /// `known` is the digest of what is behind the header, where that was not taken here.
    public mutating func keys(for addresses: [String], content known: [UInt8]? = nil) -> [[UInt8]] {
        let id = id ?? Self.messageID(in: header)
        let digest = id == nil ? whole.finish() : known ?? content.finish()
        return addresses.map { address in
            SHA256.hash(Array("mail|\(address)|\(id.map { $0 + "|" } ?? "")".utf8) + digest)
        }
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

    /// The value of the first `Message-ID` field (RFC 5322 section 3.6.4), unfolded.
    private static func messageID(in header: [UInt8]) -> String? {
        let lines = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline)
        let name = "message-id:"
        guard let start = lines.firstIndex(where: { $0.lowercased().hasPrefix(name) }) else { return nil }
        let folded = lines[(start + 1)...].prefix { $0.hasPrefix(" ") || $0.hasPrefix("\t") }
        let value = Array((String(lines[start].dropFirst(name.count)) + folded.joined()).utf8)
        let id = String(decoding: HeaderBlock.trimmed(value[...]), as: UTF8.self)
        return id.isEmpty ? nil : id
    }
}
