internal import Glibc
internal import PinpostCore
internal import Synchronization

/// The folder that holds everything: checked, and held by one process.
final class DataFolder: Sendable {
    let path: String
    /// Closing it, also by dying, gives the folder free.
    private let lock: Mutex<CInt?>

    var database: String { path + "/pinpost.db" }
    var spool: String { path + "/spool" }

    /// Makes the folder where there is none, and takes its lock.
    /// - Throws: `.unusable` with what to do; `.locked` when another process has it.
    init(path: String) throws(StoreError) {
        try Self.make(path)
        try Self.check(path)
        let file = path + "/lock"
        let lock = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw .system("opened", file) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw StoreError(.locked, path)
        }
        self.path = path
        self.lock = Mutex(lock)
        try makeDatabaseFile()
    }

    deinit { unlock() }

    /// Lets another process have the folder.
    func unlock() {
        lock.withLock { lock in
            if let lock { close(lock) }
            lock = nil
        }
    }

    private static func make(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw StoreError(
            .unusable,
            "\(path) is not there and cannot be made: \(String(cString: strerror(errno))). "
                + "Make it for user \(geteuid()), or name another folder in PINPOST_DATA")
    }

    private static func check(_ path: String) throws(StoreError) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw .system("opened", path) }
        guard facts.st_mode & S_IFMT == S_IFDIR else { throw StoreError(.unusable, "\(path) is not a folder") }
        guard facts.st_uid == geteuid() else {
            throw StoreError(
                .unusable,
                "\(path) belongs to user \(facts.st_uid), we run as \(geteuid()). "
                    + "Run as that user, or: chown -R \(geteuid()) '\(path)'")
        }
        guard facts.st_mode & 0o077 == 0 else {
            throw StoreError(.unusable, "\(path) is open to other users. Run: chmod 700 '\(path)'")
        }
        guard access(path, R_OK | W_OK | X_OK) == 0 else {
            let remedy = errno == EROFS ? "Mount it writable" : "Run: chmod 700 '\(path)'"
            throw StoreError(.unusable, "\(path) is read-only. \(remedy)")
        }
    }

    /// SQLite gives its other files the mode of the first one.
    private func makeDatabaseFile() throws(StoreError) {
        _ = try Descriptor(opening: database, O_RDWR | O_CREAT)
    }
}
