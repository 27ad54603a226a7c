import Glibc
import Synchronization

/// A file that the command line writes and that appears in one step: a reader sees all of its bytes or none.
final class FreshFile: Sendable {
    private let freshPath: String
    private let descriptor: CInt
    private let isInPlace = Mutex(false)

    /// Creates a file without a name of its own yet in a folder; `number` tells it from others of this process.
    init(in folder: String, number: Int) throws(SystemFailure) {
        freshPath = "\(folder)/.pinpost.\(getpid()).\(number).new"
        descriptor = open(freshPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure() }
    }

    /// Whoever drops it without `commit` has written nothing.
    deinit {
        close(descriptor)
        if !isInPlace.withLock({ $0 }) { unlink(freshPath) }
    }

    /// Appends bytes; blocks.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) { try bytes.write(to: descriptor) }

    /// Gives the file its name, once; one that is there already is replaced, or is an `EEXIST` error.
    func commit(as path: String, replacing: Bool) throws(SystemFailure) {
        // A link never replaces anything; file systems without links get a look before the renaming.
        if !replacing {
            if link(freshPath, path) == 0 { return }
            let reason = errno
            guard reason == EPERM || reason == ENOTSUP else { throw SystemFailure(code: reason) }
            guard access(path, F_OK) != 0 else { throw SystemFailure(code: EEXIST) }
        }
        guard rename(freshPath, path) == 0 else { throw SystemFailure() }
        isInPlace.withLock { $0 = true }
    }
}

extension UnsafeRawBufferPointer {
    /// Writes everything; blocks.
    func write(to descriptor: CInt) throws(SystemFailure) {
        var written = 0
        while written < count {
            let rest = UnsafeRawBufferPointer(rebasing: self[written...])
            let result = Glibc.write(descriptor, rest.baseAddress, rest.count)
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw SystemFailure() }
            written += result
        }
    }
}
