import PinpostCore
import Synchronization

/// The store's bodies on a disk that a test fills up.
final class Disk: BlobStore {
    private let blobs: any BlobStore
    private let full = Atomic(false)

    init(_ blobs: any BlobStore) { self.blobs = blobs }

    var isFull: Bool {
        get { full.load(ordering: .acquiring) }
        set { full.store(newValue, ordering: .releasing) }
    }

    func makeWriter() -> any BlobWriter { Writer(blobs.makeWriter(), disk: self) }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { try blobs.open(bytes) }
    func discard(_ bytes: StoredBytes) { blobs.discard(bytes) }

    private final class Writer: BlobWriter {
        private let writer: any BlobWriter
        private let disk: Disk

        init(_ writer: any BlobWriter, disk: Disk) {
            self.writer = writer
            self.disk = disk
        }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            if disk.isFull { throw StoreError(.diskFull) }
            try writer.write(bytes)
        }

        func finish() throws(StoreError) -> StoredBytes { try writer.finish() }
        func discard() { writer.discard() }
    }
}
