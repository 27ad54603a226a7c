/// Hands elements from any thread to threads that sleep until there is one.
///
/// `@unchecked Sendable` is safe: `waiting`, `head` and `isClosed` are touched only between lock and unlock of the
/// monitor.
public final class Mailbox<Element>: @unchecked Sendable {
    private var waiting: [Element?] = []
    private var head = 0
    private var isClosed = false
    private let monitor = Monitor()

    public init() {}

    /// Puts an element at the end; false when the mailbox is closed.
    @discardableResult
    public func add(_ element: sending Element) -> Bool {
        monitor.lock()
        defer { monitor.unlock() }
        guard !isClosed else { return false }
        waiting.append(element)
        monitor.wakeOne()
        return true
    }

    /// Takes nothing more; what is waiting is still handed out.
    public func close() {
        monitor.lock()
        isClosed = true
        monitor.wakeAll()
        monitor.unlock()
    }

    /// Blocks until there is an element; nil when the mailbox is closed and empty.
    public func next() -> Element? {
        monitor.lock()
        defer { monitor.unlock() }
        while head == waiting.count {
            if isClosed { return nil }
            monitor.wait()
        }
        return takeFirst()
    }

    /// The next element if one is waiting now.
    public func nextWaiting() -> Element? {
        monitor.lock()
        defer { monitor.unlock() }
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
