import CLinux
import Glibc

/// Wakes the thread that waits for clients.
final class Doorbell: Sendable {
    private let descriptor: CInt

    init() throws(SystemFailure) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemFailure() }
    }

    deinit { close(descriptor) }

    /// From now on nobody waits any more.
    func ring() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Blocks until a client comes; nil once the bell has rung.
    func nextClient(of listener: LocalSocket) -> LocalSocket? {
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 || errno == EINTR else { return nil }
            if waiting[0].revents != 0 { return nil }
            guard waiting[1].revents != 0 else { continue }
            do {
                return try listener.accept()
            } catch {
                // Out of descriptors: the client stays in the queue, and others will be closed soon.
                if error.code == EMFILE || error.code == ENFILE { usleep(100_000) }
            }
        }
    }
}
