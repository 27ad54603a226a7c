import Glibc

/// Hands elements from any thread to threads that sleep until there is one.
///
/// `@unchecked Sendable` is safe: `waiting`, `head` and `isClosed` are touched only between lock and unlock; a condition
/// variable, which Swift's own types lack, is what makes a thread sleep.
public final class Mailbox<Element>: @unchecked Sendable {
    private var waiting: [Element?] = []
    private var head = 0
    private var isClosed = false
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

    /// Puts an element at the end; false when the mailbox is closed.
    @discardableResult
    public func add(_ element: sending Element) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed else { return false }
        waiting.append(element)
        pthread_cond_signal(condition)
        return true
    }

    /// Takes nothing more; what is waiting is still handed out.
    public func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Blocks until there is an element; nil when the mailbox is closed and empty.
    public func next() -> Element? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while head == waiting.count {
            if isClosed { return nil }
            pthread_cond_wait(condition, mutex)
        }
        return takeFirst()
    }

    /// The next element if one is waiting now.
    public func nextWaiting() -> Element? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return head == waiting.count ? nil : takeFirst()
    }

    private func takeFirst() -> Element? {
        let element = waiting[head]
        waiting[head] = nil
        head += 1
        if head == waiting.count || head > 1_024 {
            waiting.removeFirst(head)
            head = 0
        }
        return element
    }
}
