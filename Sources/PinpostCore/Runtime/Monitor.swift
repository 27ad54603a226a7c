internal import Glibc

/// A lock in which threads sleep until what it guards has changed (POSIX `pthread_cond_wait`).
///
/// Swift's own locks have no condition variable. `@unchecked Sendable` is safe: the two C objects are made to be shared,
/// stay where they are, and are never copied.
public final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    public init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Blocks until no other thread has the lock.
    public func lock() { pthread_mutex_lock(mutex) }
    public func unlock() { pthread_mutex_unlock(mutex) }

    /// Lets the lock go and sleeps; returns with the lock, at a call of `wakeOne` or `wakeAll` or without reason.
    public func wait() { pthread_cond_wait(condition, mutex) }

    public func wakeOne() { pthread_cond_signal(condition) }
    public func wakeAll() { pthread_cond_broadcast(condition) }
}
