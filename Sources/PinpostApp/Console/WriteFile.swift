import Glibc

/// Files that the command line writes.
enum WriteFile {
    /// Replaces a file in one step: a reader sees the old bytes or the new ones.
    static func replace(_ path: String, with bytes: [UInt8]) throws(SystemFailure) {
        let fresh = "\(path).\(getpid()).new"
        let descriptor = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure() }
        let failure = write(bytes, to: descriptor)
        close(descriptor)
        guard failure == nil, rename(fresh, path) == 0 else {
            let cause = failure ?? SystemFailure()
            unlink(fresh)
            throw cause
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt) -> SystemFailure? {
        var written = 0
        while written < bytes.count {
            let result = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { return SystemFailure() }
            written += result
        }
        return nil
    }
}
