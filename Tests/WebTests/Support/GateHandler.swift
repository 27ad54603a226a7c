import Glibc
import PinpostCore
import Web

/// Holds its requests until it is told to answer.
struct GateHandler: RequestHandler {
    /// Fires with the first request.
    let entered = Shutdown()
    let release = Shutdown()
    private let entries = Semaphore()

    func open(_ head: RequestHead) async -> Opening {
        entered.request()
        entries.signal()
        await release.wait()
        return .answer(HTTPAnswer(200, contentType: "text/plain", text: "done"))
    }

    /// Blocks a client's thread until that many requests are held.
    func waitForEntries(_ count: Int) {
        for _ in 0..<count { entries.wait() }
    }
}

/// A semaphore for threads; `@unchecked Sendable` is safe since POSIX makes it so.
final class Semaphore: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(pointer, 0, 0) }

    deinit {
        sem_destroy(pointer)
        pointer.deallocate()
    }

    func signal() { sem_post(pointer) }
    func wait() { sem_wait(pointer) }
}
