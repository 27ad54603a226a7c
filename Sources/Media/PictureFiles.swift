import PinpostCore

/// Reads pictures from the blob store and writes them to it; every call may block.
struct PictureFiles: Sendable {
    private static let pieceLength = 1 << 20

    let blobs: any BlobStore
    /// The largest file that is read, in bytes.
    let maximumBytes: Int

    /// Reads a whole picture.
    /// - Throws: `.overLimit` for a larger one, `.unavailable` when the store fails.
    func load(_ picture: StoredBytes) throws(MediaError) -> [UInt8] {
        guard picture.count <= maximumBytes else {
            throw MediaError(
                .overLimit,
                "The picture file is too large: \(picture.count >> 20) MiB; up to \(maximumBytes >> 20) MiB are taken.")
        }
        do throws(StoreError) {
            let reader = try blobs.open(picture)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(picture.count)
            while bytes.count < picture.count {
                let piece = try reader.read(upTo: min(Self.pieceLength, picture.count - bytes.count))
                guard !piece.isEmpty else {
                    throw StoreError(.corrupt, "a stored picture is shorter than its row says")
                }
                bytes += piece
            }
            return bytes
        } catch {
            throw MediaError(.unavailable, "The stored picture cannot be read: \(error)")
        }
    }

    /// Stores a finished picture.
    /// - Throws: `.unavailable` when the store fails.
    func store(_ file: CleanFile) throws(MediaError) -> StoredBytes {
        let writer = blobs.makeWriter()
        do throws(StoreError) {
            for piece in file.pieces {
                try piece.withUnsafeBufferPointer { (bytes) throws(StoreError) in
                    try writer.write(UnsafeRawBufferPointer(bytes))
                }
            }
            return try writer.finish()
        } catch {
            writer.discard()
            throw MediaError(.unavailable, "The picture cannot be stored: \(error)")
        }
    }
}
