import Glibc
import PinpostCore

/// Reads pictures from the blob store and writes them to it; every call may block.
struct PictureFiles: Sendable {
    let blobs: any BlobStore
    let limits: PictureLimits

    /// Opens a picture.
    ///
    /// What is stored in a file is not read yet.
    /// - Throws: `.overLimit` for a larger one, `.unavailable` when the store fails.
    func open(_ picture: StoredBytes) throws(MediaError) -> PictureSource {
        try limits.check(fileBytes: picture.count)
        if case .inline(let bytes) = picture.place { return PictureSource(bytes[...]) }
        do throws(StoreError) {
            let reader = try blobs.open(picture)
            let own = fcntl(try reader.descriptor(), F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { throw StoreError(.corrupt, "fcntl failed with errno \(errno)") }
            return PictureSource(OwnedDescriptor(own), count: picture.count)
        } catch {
            throw MediaError(.unavailable, "The stored picture cannot be read: \(error)")
        }
    }

    /// Stores a finished picture.
    /// - Throws: `.unavailable` when the store fails.
    func store(_ file: CleanFile) throws(MediaError) -> StoredBytes {
        try store { (write) throws(MediaError) in for piece in file.pieces { try write(piece) } }
    }

    /// Stores what `body` writes piece by piece.
    /// - Throws: `.unavailable` when the store fails, and what `body` throws; nothing is stored then.
    func store(
        _ body: ((ArraySlice<UInt8>) throws(MediaError) -> Void) throws(MediaError) -> Void
    ) throws(MediaError) -> StoredBytes {
        let writer = blobs.makeWriter()
        do {
            try body { (piece) throws(MediaError) in
                try Self.storing { () throws(StoreError) in
                    try piece.withUnsafeBufferPointer { (bytes) throws(StoreError) in
                        try writer.write(UnsafeRawBufferPointer(bytes))
                    }
                }
            }
            return try Self.storing { () throws(StoreError) in try writer.finish() }
        } catch {
            writer.discard()
            throw error
        }
    }

    private static func storing<Result>(_ body: () throws(StoreError) -> Result) throws(MediaError) -> Result {
        do throws(StoreError) { return try body() } catch {
            throw MediaError(.unavailable, "The picture cannot be stored: \(error)")
        }
    }
}
