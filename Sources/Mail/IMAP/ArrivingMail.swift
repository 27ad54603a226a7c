internal import PinpostCore

/// One mail on its way from the server to the blob store.
///
/// `@unchecked Sendable` is safe: the connection's thread writes it, then hands it over and forgets it; after that one
/// task at a time uses it.
final class ArrivingMail: @unchecked Sendable {
    private let writer: any BlobWriter
    private var fingerprint = MailFingerprint()
    private(set) var count = 0

    init(_ writer: any BlobWriter) { self.writer = writer }

    /// Never finished: nothing stays behind.
    deinit { writer.discard() }

    func take(_ bytes: UnsafeRawBufferPointer) throws(IMAPError) {
        do throws(StoreError) { try writer.write(bytes) } catch { throw IMAPError(error) }
        fingerprint.update(bytes)
        count += bytes.count
    }

    /// Makes the bytes durable; blocks.
    func finish() throws(StoreError) -> StoredBytes { try writer.finish() }

    /// The fields of the mail's header, as far as it is complete.
    var header: HeaderBlock { HeaderBlock(block: fingerprint.header) }

    /// What makes the mail the same one at another time or in another place, for each of these addresses.
    func keys(for addresses: [Address.ID]) -> [[UInt8]] { fingerprint.keys(for: addresses.map(\.rawValue)) }
}
