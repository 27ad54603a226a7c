import Glibc

/// Files that the command line names: read by this process, with its user's rights.
enum ReadFile {
    /// A regular file or a pipe, opened for reading.
    static func open(_ path: String) throws(SystemFailure) -> CInt {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFailure() }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else {
            Glibc.close(descriptor)
            throw SystemFailure(code: EISDIR)
        }
        return descriptor
    }

    /// The whole file; one that is longer than `limit` is an `EFBIG` error.
    static func bytes(of path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
        let descriptor = try open(path)
        defer { Glibc.close(descriptor) }
        return try bytes(of: descriptor, limit: limit)
    }

    static func bytes(of descriptor: CInt, limit: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try self.piece(of: descriptor, upTo: 64 * 1024)
            guard !piece.isEmpty else { return bytes }
            bytes += piece
            guard bytes.count <= limit else { throw SystemFailure(code: EFBIG) }
        }
    }

    /// Reads up to `limit` bytes, none at the end; blocks.
    static func piece(of descriptor: CInt, upTo limit: Int) throws(SystemFailure) -> [UInt8] {
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            var result = read(descriptor, buffer.baseAddress, buffer.count)
            while result < 0, errno == EINTR { result = read(descriptor, buffer.baseAddress, buffer.count) }
            if result < 0 { failure = SystemFailure() }
            count = max(result, 0)
        }
        if let failure { throw failure }
        return bytes
    }
}
