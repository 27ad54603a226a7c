import Cryptography
import PinpostCore
import Synchronization

/// A blob store in memory that counts what is kept, so that a test sees a leak.
final class MemoryBlobs: BlobStore {
    private struct State {
        var spooled: [Blob.ID: [UInt8]] = [:]
        var openWriters = 0
        var failure: StoreError?
        var next = 0
    }

    private let state = Mutex(State())

    /// Bodies over 64 KiB that nobody discarded.
    var spooledCount: Int { state.withLock { $0.spooled.count } }
    var openWriters: Int { state.withLock { $0.openWriters } }

    /// From now on every write fails so.
    func fail(with error: StoreError) { state.withLock { $0.failure = error } }

    func makeWriter() -> any BlobWriter {
        state.withLock { $0.openWriters += 1 }
        return Writer(self)
    }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        switch bytes.place {
        case .inline(let bytes): return Reader(bytes)
        case .spooled(let id):
            guard let bytes = state.withLock({ $0.spooled[id] }) else { throw StoreError(.notFound) }
            return Reader(bytes)
        }
    }

    func discard(_ bytes: StoredBytes) {
        if case .spooled(let id) = bytes.place { state.withLock { $0.spooled[id] = nil } }
    }

    private func keep(_ bytes: [UInt8]) -> StoredBytes {
        let digest = SHA256.hash(bytes)
        guard bytes.count > StoredBytes.inlineLimit else {
            return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: digest)
        }
        let id = state.withLock { state in
            state.next += 1
            let id = Blob.ID("blob\(state.next)")
            state.spooled[id] = bytes
            return id
        }
        return StoredBytes(place: .spooled(id), count: bytes.count, sha256: digest)
    }

    private final class Writer: BlobWriter {
        private let blobs: MemoryBlobs
        private var bytes: [UInt8] = []
        private var isOpen = true

        init(_ blobs: MemoryBlobs) { self.blobs = blobs }

        deinit { close() }

        private func close() {
            if isOpen { blobs.state.withLock { $0.openWriters -= 1 } }
            isOpen = false
        }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            if let failure = blobs.state.withLock({ $0.failure }) { throw failure }
            self.bytes.append(contentsOf: bytes)
        }

        func finish() throws(StoreError) -> StoredBytes {
            close()
            if let failure = blobs.state.withLock({ $0.failure }) { throw failure }
            return blobs.keep(bytes)
        }

        func discard() { close() }
    }

    final class Reader: BlobReader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(upTo limit: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(limit) }
            return Array(rest.prefix(limit))
        }

        func descriptor() throws(StoreError) -> CInt { throw StoreError(.unusable) }
    }
}
