import Glibc

/// The CPU time that work took on the calling thread: waiting, other programs and a halted machine do not count.
public func cpuTime(of work: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try work()
    return threadTime() - start
}

/// Whether time grows with the size, and not with its square: a quarter of the size takes more than a tenth of the time.
///
/// `make` gives what is worked on. One of three tries is enough, since caches disturb the figures.
public func growsLinearly<Input>(
    to size: Int, _ make: (Int) -> Input, _ work: (Input) throws -> Void
) rethrows -> Bool {
    let (quarter, whole) = (make(size / 4), make(size))
    for _ in 0..<3 {
        let time = max(try cpuTime { try work(quarter) }, .milliseconds(1))
        if try cpuTime(of: { try work(whole) }) < time * 10 { return true }
    }
    return false
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
