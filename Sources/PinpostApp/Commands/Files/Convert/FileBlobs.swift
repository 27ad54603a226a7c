import Glibc
import PinpostCore
import Synchronization

/// Files instead of a store: pictures are read where they lie, and what is made of them waits for its name.
final class FileBlobs: BlobStore {
    private let target: Target
    private let finished = Mutex<(count: Int, files: [Blob.ID: FreshFile])>((0, [:]))
    private let lastFailure = Mutex<SystemFailure?>(nil)

    /// Why a result could not be written; the errors of a store speak of a data folder, which is not meant here.
    var writingFailure: SystemFailure? { lastFailure.withLock { $0 } }

    enum Target: Sendable {
        /// Where the results lie until they have a name: on the file system of their names.
        case folder(String)
        /// Written at once.
        case descriptor(CInt)
    }

    init(_ target: Target) { self.target = target }

    /// What a file is to the converter.
    /// - Throws: when it cannot be opened.
    func picture(_ path: String) throws(SystemFailure) -> StoredBytes {
        let descriptor = try ReadFile.open(path)
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw SystemFailure() }
        return StoredBytes(place: .spooled(Blob.ID(path)), count: Int(facts.st_size), sha256: [])
    }

    /// Gives what was made its name.
    func commit(_ bytes: StoredBytes, as path: String, replacing: Bool) throws(SystemFailure) {
        guard case .spooled(let id) = bytes.place, let file = finished.withLock({ $0.files.removeValue(forKey: id) })
        else { return }
        try file.commit(as: path, replacing: replacing)
    }

    func makeWriter() -> any BlobWriter { Writer(self) }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        guard case .spooled(let path) = bytes.place else { throw StoreError(.notFound) }
        do { return Reader(try ReadFile.open(path.rawValue)) } catch { throw StoreError(.notFound, error.reason) }
    }

    func discard(_ bytes: StoredBytes) {
        guard case .spooled(let id) = bytes.place else { return }
        finished.withLock { _ = $0.files.removeValue(forKey: id) }
    }

    private func makeFile(in folder: String) throws(SystemFailure) -> FreshFile {
        let number = finished.withLock { finished in
            finished.count += 1
            return finished.count
        }
        return try FreshFile(in: folder, number: number)
    }

    private func keep(_ file: FreshFile) -> Blob.ID {
        finished.withLock { finished in
            finished.count += 1
            let id = Blob.ID("result \(finished.count)")
            finished.files[id] = file
            return id
        }
    }

    private final class Writer: BlobWriter {
        private let blobs: FileBlobs
        private var file: FreshFile?
        private var count = 0

        init(_ blobs: FileBlobs) { self.blobs = blobs }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            do throws(SystemFailure) {
                switch blobs.target {
                case .descriptor(let descriptor): try bytes.write(to: descriptor)
                case .folder(let folder):
                    if file == nil { file = try blobs.makeFile(in: folder) }
                    try file?.write(bytes)
                }
            } catch {
                blobs.lastFailure.withLock { $0 = error }
                throw StoreError(.diskFull, error.reason)
            }
            count += bytes.count
        }

        func finish() -> StoredBytes {
            let id = file.map { blobs.keep($0) } ?? Blob.ID("written")
            return StoredBytes(place: .spooled(id), count: count, sha256: [])
        }

        func discard() { (file, count) = (nil, 0) }
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
