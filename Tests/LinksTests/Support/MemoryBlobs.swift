import Cryptography
import PinpostCore

/// Keeps what was fetched in memory.
struct MemoryBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { Writer() }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { throw StoreError(.notFound) }

    func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private var content: [UInt8] = []

        func write(_ bytes: UnsafeRawBufferPointer) { content += bytes }

        func finish() -> StoredBytes {
            StoredBytes(place: .inline(content), count: content.count, sha256: SHA256.hash(content))
        }

        func discard() { content = [] }
    }
}
