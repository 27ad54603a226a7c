internal import Cryptography
internal import Glibc
internal import PinpostCore

/// Keeps a small body in memory; a larger one goes to a file that has no name in the spool until it is finished.
final class SpoolWriter: BlobWriter {
    private let spool: Spool
    private let use: DiskUse
    private var buffer: [UInt8] = []
    private var file: File?
    private var hash = SHA256()
    /// Of the second section.
    private var text = TextHash()
    private var count = 0
    private var first: Sections.First?
    private(set) var sectionDigest: [UInt8]?
    /// So many bytes the disk has been told of.
    private var begun = 0
    /// From so many new bytes on it is told again.
    private static let largeWrite = 256 * 1024
    /// Up to this count nobody has to ask again whether there is room.
    private var allowed = 0
    private static let allowance = 1 << 20

    private final class File {
        let path: String
        let descriptor: Descriptor
        /// It has a name in the spool, and none here any more.
        var isNamed = false

        init(path: String) throws(StoreError) {
            self.path = path
            descriptor = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
        }

        deinit {
            if !isNamed { unlink(path) }
        }
    }

    init(spool: Spool, for use: DiskUse) {
        self.spool = spool
        self.use = use
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
        guard bytes.count > 0 else { return }
        if count + bytes.count > allowed {
            try spool.disk.check(for: use)
            allowed = count + bytes.count + Self.allowance
        }
        if first == nil { hash.update(bytes) } else { text.update(bytes) }
        count += bytes.count
        if file == nil, count <= StoredBytes.inlineLimit { return buffer.append(contentsOf: bytes) }
        let file = try openFile()
        try file.descriptor.write(all: bytes, path: file.path)
        if count - begun >= Self.largeWrite {
            file.descriptor.beginSync(from: begun)
            begun = count
        }
    }

    func beginSection() -> Bool {
        guard first == nil else { return false }
        first = Sections.First(count: count, digest: hash.finish())
        return true
    }

    private func openFile() throws(StoreError) -> File {
        if let file { return file }
        let file = try File(path: spool.makeNurseryPath())
        try file.descriptor.write(all: buffer, path: file.path)
        self.file = file
        buffer = []
        return file
    }

    func finish() throws(StoreError) -> StoredBytes {
        defer { discard() }
        let digest = finishDigest()
        guard let file else { return StoredBytes(place: .inline(buffer), count: count, sha256: digest) }
        try file.descriptor.sync(path: file.path)
        let id = try spool.adopt(file.path)
        file.isNamed = true
        return StoredBytes(place: .spooled(id), count: count, sha256: digest)
    }

    /// What goes into the row.
    private func finishDigest() -> [UInt8] {
        guard let first else { return hash.finish() }
        let last = text.finish()
        sectionDigest = last
        return Sections.digest(first, last)
    }

    func discard() {
        file = nil
        buffer = []
        (count, begun, allowed, first) = (0, 0, 0, nil)
        _ = hash.finish()
        _ = text.finish()
    }
}
