internal import CLinux
internal import Glibc
internal import PinpostCore

/// Owns an open file.
struct Descriptor: ~Copyable {
    let number: CInt

    init(opening path: String, _ flags: CInt, mode: mode_t = 0o600) throws(StoreError) {
        let number = open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode)
        guard number >= 0 else { throw .system("opened", path) }
        self.number = number
    }

    /// Takes a descriptor that some other call made; nil when it failed.
    init?(owning number: CInt) {
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit { close(number) }

    func write(all bytes: UnsafeRawBufferPointer, path: String) throws(StoreError) {
        var rest = bytes
        while let base = rest.baseAddress, rest.count > 0 {
            let count = Glibc.write(number, base, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("written", path) }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }

    func write(all bytes: [UInt8], path: String) throws(StoreError) {
        var failure: StoreError?
        bytes.withUnsafeBytes { buffer in
            do throws(StoreError) { try write(all: buffer, path: path) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Up to `limit` bytes; empty at the end.
    func read(upTo limit: Int, path: String) throws(StoreError) -> [UInt8] {
        var result = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: max(limit, 0)) { buffer, count in
            repeat { result = Glibc.read(number, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
            count = max(result, 0)
        }
        guard result >= 0 else { throw .system("read", path) }
        return bytes
    }

    /// Lets the disk begin with what was written from `offset` on, so that `sync` has less to wait for; only a hint.
    func beginSync(from offset: Int) { _ = sync_file_range(number, offset, 0, pinpost_sync_file_range_write) }

    func sync(path: String) throws(StoreError) {
        guard fsync(number) == 0 else { throw .system("written", path) }
    }

    /// Makes the names in a folder durable.
    static func syncFolder(_ path: String) throws(StoreError) {
        let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
        try folder.sync(path: path)
    }
}
