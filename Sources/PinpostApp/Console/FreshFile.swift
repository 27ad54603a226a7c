import Glibc
import Synchronization

/// A file that the command line writes and that appears in one step: a reader sees the old bytes or the new ones.
final class FreshFile: Sendable {
    private let path: String
    private let freshPath: String
    private let descriptor: CInt
    private let isInPlace = Mutex(false)

    /// Creates a file beside the one to replace.
    init(_ path: String) throws(SystemFailure) {
        self.path = path
        freshPath = "\(path).\(getpid()).new"
        descriptor = open(freshPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure() }
    }

    /// Whoever drops it without `commit` has written nothing.
    deinit {
        close(descriptor)
        if !isInPlace.withLock({ $0 }) { unlink(freshPath) }
    }

    /// Appends bytes; blocks.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let result = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw SystemFailure() }
            written += result
        }
    }

    /// Forgets what was written so far.
    func restart() {
        guard ftruncate(descriptor, 0) == 0 else { return }
        lseek(descriptor, 0, SEEK_SET)
    }

    /// Puts the file in its place.
    func commit() throws(SystemFailure) {
        guard rename(freshPath, path) == 0 else { throw SystemFailure() }
        isInPlace.withLock { $0 = true }
    }
}
