internal import CLinux
internal import Glibc
internal import PinpostCore

/// Reads a spool file and compares what it reads with the digest in the row, where it is asked to.
final class SpoolReader: BlobReader {
    private let file: Descriptor
    private let path: String
    private let expected: StoredBytes
    private let isCompared: Bool
    private var hash: SectionedHash

    /// Without `comparing`, only the length is.
    init(path: String, expecting bytes: StoredBytes, comparing: Bool) throws(StoreError) {
        var facts = stat()
        guard stat(path, &facts) == 0, Int(facts.st_size) == bytes.count else {
            throw StoreError(.corrupt, "a spool file is missing or cut")
        }
        file = try Descriptor(opening: path, O_RDONLY)
        self.path = path
        expected = bytes
        isCompared = comparing
        hash = SectionedHash(expecting: bytes.sha256)
    }

    func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
        let bytes = try file.read(upTo: limit, path: path)
        guard isCompared else { return bytes }
        guard !bytes.isEmpty else { return bytes }
        hash.update(bytes)
        if hash.count >= expected.count, !hash.isRight() { throw StoreError(.corrupt, "a spool file was changed") }
        return bytes
    }

    func descriptor() throws(StoreError) -> CInt {
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw .system("read", path) }
        hash.restart()
        return file.number
    }
}

/// Reads bytes that live in their row.
final class InlineReader: BlobReader {
    private let bytes: [UInt8]
    private var offset = 0
    private var memory: Memory?

    private final class Memory {
        let descriptor: Descriptor

        init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(upTo limit: Int) throws(StoreError) -> [UInt8] {
        let end = min(offset + max(limit, 0), bytes.count)
        defer { offset = end }
        return Array(bytes[offset..<end])
    }

    /// A file in memory, made when it is asked for.
    func descriptor() throws(StoreError) -> CInt {
        let memory = try openMemory()
        guard lseek(memory.descriptor.number, 0, SEEK_SET) == 0 else { throw .system("read", "a file in memory") }
        return memory.descriptor.number
    }

    private func openMemory() throws(StoreError) -> Memory {
        if let memory { return memory }
        guard let descriptor = Descriptor(owning: memfd_create("pinpost", pinpost_memfd_close_on_exec)) else {
            throw .system("made", "a file in memory")
        }
        try descriptor.write(all: bytes, path: "a file in memory")
        let memory = Memory(descriptor)
        self.memory = memory
        return memory
    }
}
