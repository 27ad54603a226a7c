internal import Cryptography
public import PinpostCore

/// One mail on its way to the blob store.
///
/// `@unchecked Sendable` is safe: one thread at a time uses it; whoever reads the mail from its source writes it, then
/// hands it over and forgets it.
public final class ArrivingMail: @unchecked Sendable {
    private let writer: any BlobWriter
    private var fingerprint = MailFingerprint()
    private var isSectioned = false
    public private(set) var count = 0

    /// Starts a mail whose bytes go to `writer`; it belongs to the mail from now on.
    public init(_ writer: any BlobWriter) { self.writer = writer }

    /// Never finished: nothing stays behind.
    deinit { writer.discard() }

    /// Takes the next bytes; blocks.
    public func take(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        count += bytes.count
        let rest = try takeHeader(from: bytes)
        try writer.write(rest)
        if !isSectioned { fingerprint.update(rest) }
    }

    /// What is behind the header is a section of its own: the writer hashes it, and nobody once more.
    private func takeHeader(from bytes: UnsafeRawBufferPointer) throws(StoreError) -> UnsafeRawBufferPointer {
        guard fingerprint.isInHeader else { return bytes }
        let length = fingerprint.takeHeader(from: bytes)
        try writer.write(UnsafeRawBufferPointer(rebasing: bytes[..<length]))
        if !fingerprint.isInHeader { isSectioned = writer.beginSection() }
        return UnsafeRawBufferPointer(rebasing: bytes[length...])
    }

    /// Takes the next bytes; blocks.
    public func take(_ bytes: [UInt8]) throws(StoreError) {
        try bytes.lend { (bytes) throws(StoreError) in try take(bytes) }
    }

    /// Makes the bytes durable; blocks.
    func finish() throws(StoreError) -> StoredBytes { try writer.finish() }

    /// The fields of the mail's header, as far as it is complete.
    var header: HeaderBlock { HeaderBlock(block: fingerprint.header) }

    /// Whether it begins as mails do, and has a field that only mails have: scripts and pictures do not.
    public var isMail: Bool {
        HeaderBlock.isBegun(in: Array(fingerprint.header.prefix(4_096)))
            && header.fields.contains { field in
                Self.ownFields.contains(field.name)
            }
    }

    /// One of these is in the header of whatever went through a mail program or server.
    private static let ownFields: Set<String> = [
        "from", "to", "cc", "bcc", "subject", "date", "message-id", "received", "return-path", "mime-version",
        "content-type", "sender", "reply-to", "delivered-to", "envelope-to", "x-original-to",
    ]

    /// What makes the mail the same one at another time or in another place, for each of these names; once, and only
    /// when the mail is finished.
    func keys(for names: [String]) -> [[UInt8]] { fingerprint.keys(for: names, content: writer.sectionDigest) }
}
