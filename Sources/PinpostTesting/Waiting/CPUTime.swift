import Glibc

/// The CPU time that work took on the calling thread: waiting, other programs and a halted machine do not count.
public func cpuTime(of work: () throws -> Void) rethrows -> Duration {
    let start = threadTime()
    try work()
    return threadTime() - start
}

/// Whether time grows with the size, and not with its square: a quarter of the size takes more than a tenth of the time.
///
/// `make` gives what is worked on. The least of several tries counts, since caches disturb the figures; what costs next
/// to nothing always passes.
public func growsLinearly<Input>(
    to size: Int, _ make: (Int) -> Input, _ work: (Input) throws -> Void
) rethrows -> Bool {
    let (quarter, whole) = (make(size / 4), make(size))
    var (least, most) = (Duration.seconds(3_600), Duration.seconds(3_600))
    for _ in 0..<8 {
        least = min(least, try cpuTime { try work(quarter) })
        most = min(most, try cpuTime { try work(whole) })
        if most < max(least, .milliseconds(1)) * 10 { return true }
    }
    return false
}

private func threadTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
