import Glibc
import Synchronization

/// A program that a test runs beside itself; it ends with the object.
final class ChildProcess: Sendable {
    let id: pid_t
    /// Its number may be another process's by now.
    private let isReaped = Atomic(false)

    /// Starts `path` without input; its output goes to `output`, or nowhere.
    init(_ path: String, _ arguments: [String], output: CInt? = nil) throws(LoopbackError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        // Test runners block signals, and a child inherits that: it could not be asked to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let name = String(path.split(separator: "/").last ?? "")
        var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, path, &actions, &attributes, &words, environ) == 0 else {
            throw LoopbackError("\(name) cannot be started")
        }
        id = process
    }

    deinit { end(with: SIGKILL) }

    /// Asks the program to end, and waits until it has.
    func end(with signal: CInt = SIGTERM) {
        guard !isReaped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        kill(id, signal)
        waitpid(id, nil, 0)
    }

    /// The exit status of a program that ends by itself.
    func wait() -> CInt {
        guard !isReaped.exchange(true, ordering: .acquiringAndReleasing) else { return -1 }
        var status: CInt = 0
        return waitpid(id, &status, 0) == id ? status : -1
    }
}
