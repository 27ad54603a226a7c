import PinpostCore

/// A blob store that keeps everything in the row.
struct MemoryBlobs: BlobStore {
    func makeWriter() -> any BlobWriter { Writer() }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        guard case .inline(let content) = bytes.place else { throw StoreError(.notFound) }
        return Reader(content)
    }

    func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private var content: [UInt8] = []

        func write(_ bytes: UnsafeRawBufferPointer) { content += bytes }
        func finish() -> StoredBytes { StoredBytes(content) }
        func discard() { content = [] }
    }

    private final class Reader: BlobReader {
        private var rest: ArraySlice<UInt8>

        init(_ content: [UInt8]) { rest = content[...] }

        func read(upTo limit: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(limit) }
            return Array(rest.prefix(limit))
        }

        func descriptor() throws(StoreError) -> CInt { throw StoreError(.notFound) }
    }
}

extension StoredBytes {
    init(_ content: [UInt8]) { self.init(place: .inline(content), count: content.count, sha256: []) }

    var content: [UInt8] {
        guard case .inline(let content) = place else { return [] }
        return content
    }
}
