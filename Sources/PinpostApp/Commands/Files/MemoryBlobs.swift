import Cryptography
import Mail
import PinpostCore

/// Keeps all bytes in memory: for verbs that work on files and need no store.
struct MemoryBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { Writer() }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { MemoryReader(try content(of: bytes)) }

    func content(of bytes: StoredBytes) throws(StoreError) -> [UInt8] {
        guard case .inline(let content) = bytes.place else { throw StoreError(.notFound, "not in memory") }
        return content
    }

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
