import Glibc
import PinpostCore

/// One file in and one file out, for a verb that converts without a store; neither is in memory as a whole.
struct FileBlobs: BlobStore {
    let input: String
    let output: FreshFile

    /// What the file is to the converter.
    /// - Throws: when it cannot be opened.
    func picture() throws(SystemFailure) -> StoredBytes {
        let descriptor = try ReadFile.open(input)
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw SystemFailure() }
        return StoredBytes(place: .spooled(Blob.ID("input")), count: Int(facts.st_size), sha256: [])
    }

    func makeWriter() -> any BlobWriter { Writer(output) }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        do { return Reader(try ReadFile.open(input)) } catch { throw StoreError(.notFound, error.reason) }
    }

    func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private let file: FreshFile
        private var count = 0

        init(_ file: FreshFile) { self.file = file }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            do { try file.write(bytes) } catch { throw StoreError(.diskFull, error.reason) }
            count += bytes.count
        }

        func finish() -> StoredBytes { StoredBytes(place: .spooled(Blob.ID("output")), count: count, sha256: []) }

        func discard() {
            file.restart()
            count = 0
        }
    }

    private final class Reader: BlobReader {
        private let file: CInt

        init(_ file: CInt) { self.file = file }

        deinit { close(file) }

        func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
            do { return try ReadFile.piece(of: file, upTo: limit) } catch { throw StoreError(.corrupt, error.reason) }
        }

        func descriptor() -> CInt { file }
    }
}
