internal import Glibc
internal import PinpostCore

/// Reads and makes key files; a file that others could read is refused.
enum KeyFile {
    enum Owner {
        /// We, or root.
        case us
        /// systemd: it may hand the file to our user by an ACL, which shows in the group's bits.
        case systemd
    }

    /// The bytes of the file, for the caller to wipe; nil when there is none.
    static func read(_ path: String, owner: Owner) throws(VaultError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw VaultError(.keyFile, "The key file \(path) cannot be read: \(reason()).")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw VaultError(.keyFile, "\(path) is not a plain file.")
        }
        try check(facts, path, owner)
        return try bytes(of: descriptor, count: Int(facts.st_size), path)
    }

    private static func check(_ facts: stat, _ path: String, _ owner: Owner) throws(VaultError) {
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw VaultError(
                .keyFile,
                "The key file \(path) belongs to user \(facts.st_uid). Run: chown \(geteuid()) '\(path)'")
        }
        let open: mode_t = owner == .systemd && facts.st_uid == 0 ? 0o007 : 0o077
        guard facts.st_mode & open == 0 else {
            throw VaultError(.keyFile, "The key file \(path) can be read by others. Run: chmod 600 '\(path)'")
        }
        guard facts.st_size <= KeyRing.longestText else {
            throw VaultError(.keyFile, "The key file \(path) is longer than \(KeyRing.longestText) bytes.")
        }
    }

    private static func bytes(of descriptor: CInt, count: Int, _ path: String) throws(VaultError) -> [UInt8] {
        var filled = 0
        var isFailed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count, let base = buffer.baseAddress {
                let result = Glibc.read(descriptor, base + filled, count - filled)
                if result < 0, errno == EINTR { continue }
                if result < 0 { isFailed = true }
                if result <= 0 { break }
                filled += result
            }
            initialized = filled
        }
        if isFailed { throw VaultError(.keyFile, "The key file \(path) cannot be read: \(reason()).") }
        return bytes
    }

    /// Makes a file of mode 0600 that was not there, and makes it durable.
    static func write(_ text: [UInt8], to path: String) throws(VaultError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw VaultError(.keyFile, "The key file \(path) cannot be made: \(reason()).") }
        let isWritten = Glibc.write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
        let cause = reason()
        close(descriptor)
        guard isWritten, syncFolder(of: path) else {
            unlink(path)
            throw VaultError(.keyFile, "The key file \(path) cannot be written: \(cause).")
        }
    }

    private static func syncFolder(of path: String) -> Bool {
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
