internal import Cryptography
public import PinpostCore

/// A blob store that keeps nothing: for finding out whether a payload can be read, and what is in it.
public struct MeasuringBlobs: BlobStore {
    private let hashes: Bool

    /// - Parameter hashes: Whether the digests are wanted as well; otherwise they are empty.
    public init(hashes: Bool = false) { self.hashes = hashes }

    public func makeWriter() -> any BlobWriter { Writer(hashes: hashes) }

    public func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        throw StoreError(.notFound, "these bytes were only measured")
    }

    public func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private let hashes: Bool
        private var digest = SHA256()
        private var count = 0

        init(hashes: Bool) { self.hashes = hashes }

        func write(_ bytes: UnsafeRawBufferPointer) {
            count += bytes.count
            if hashes { digest.update(bytes) }
        }

        func finish() -> StoredBytes {
            StoredBytes(place: .inline([]), count: count, sha256: hashes ? digest.finish() : [])
        }

        func discard() {}
    }
}
