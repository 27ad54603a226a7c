internal import Cryptography
public import PinpostCore

/// A blob store that keeps nothing: it hashes and counts, which is all that `explain` prints.
public struct MeasuringBlobStore: BlobStore {
    public init() {}

    public func makeWriter() -> any BlobWriter { Writer() }

    /// Opens a body that lies in its row; throws `.notFound` for what was only measured.
    public func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        guard case .inline(let content) = bytes.place else { throw StoreError(.notFound, "only measured") }
        return MemoryReader(content)
    }

    public func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private var hash = SHA256()
        private var count = 0

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            hash.update(bytes)
            count += bytes.count
        }

        func finish() throws(StoreError) -> StoredBytes {
            let digest = hash.finish()
            return StoredBytes(place: .spooled(Blob.ID("measured")), count: count, sha256: digest)
        }

        func discard() {}
    }
}

/// Reads bytes that are in memory.
public final class MemoryReader: BlobReader {
    private let bytes: [UInt8]
    private var position = 0

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
        let end = min(position + max(limit, 0), bytes.count)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Memory has no descriptor.
    public func descriptor() throws(StoreError) -> CInt { throw StoreError(.refused, "in memory") }
}
