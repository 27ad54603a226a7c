internal import CLinux
internal import Glibc
internal import Synchronization

/// Ends the wait of a stream from any thread.
public final class StreamAlarm: Sendable {
    let descriptor: CInt
    private let hasRung = Atomic(false)
    private let isOver = Atomic(false)

    public init() throws(StreamError) {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK))
        guard descriptor >= 0 else { throw StreamError(.localFailure, "no descriptor is left") }
    }

    deinit { close(descriptor) }

    /// Ends the wait for news that is under way, or the next one.
    public func ring() {
        hasRung.store(true, ordering: .releasing)
        wake()
    }

    /// Breaks off whatever the stream does, now and later.
    public func cancel() {
        isOver.store(true, ordering: .releasing)
        wake()
    }

    public var isCancelled: Bool { isOver.load(ordering: .acquiring) }

    /// Whether it has rung since the last question.
    func takeRing() -> Bool { hasRung.exchange(false, ordering: .acquiringAndReleasing) }

    /// Makes the descriptor quiet again.
    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }
}
