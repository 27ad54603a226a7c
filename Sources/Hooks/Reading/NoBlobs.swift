internal import PinpostCore

/// A blob store that keeps nothing, not even a hash: for finding out whether a payload can be read.
struct NoBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { Writer() }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { throw StoreError(.notFound, "not kept") }

    func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private var count = 0

        func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
        func finish() -> StoredBytes { StoredBytes(place: .inline([]), count: count, sha256: []) }
        func discard() {}
    }
}
