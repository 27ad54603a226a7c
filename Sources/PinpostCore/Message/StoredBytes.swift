/// Bytes that are durable, or will be with the row that names them.
///
/// Up to 64 KiB live in the row; larger ones are one spool file, named by a random id, never shared between rows.
public struct StoredBytes: Sendable, Hashable {
    public enum Place: Sendable, Hashable {
        case inline([UInt8])
        case spooled(Blob.ID)
    }

    /// What still fits into the row, in bytes.
    public static let inlineLimit = 64 * 1024

    public let place: Place
    public let count: Int
    /// SHA-256 of the bytes; 32 bytes.
    ///
    /// Of bytes in two sections: SHA-256 of the digests of both, and behind it where the second one begins (8 bytes,
    /// most significant first); the second one is a text, whose line ends count as CRLF.
    public let sha256: [UInt8]

    public init(place: Place, count: Int, sha256: [UInt8]) {
        self.place = place
        self.count = count
        self.sha256 = sha256
    }
}

/// A body outside the row: a spool file, later also PostgreSQL chunks or an S3 object.
public enum Blob {
    public typealias ID = Identifier<Blob>
}
