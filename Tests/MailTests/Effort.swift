import Glibc

/// Whether work costs about in proportion to its size; `make` gives it for size 1 and for size 4.
///
/// Compared is processor time of this thread alone, the least of several tries each, so that nothing else on the
/// machine counts: four times as long costs four times as much, where it is not sixteen times. What costs next to nothing
/// always passes.
func costsInProportion(_ make: (_ scale: Int) -> () -> Void) -> Bool {
    let (small, large) = (make(1), make(4))
    var (least, most) = (Double.infinity, Double.infinity)
    for _ in 0..<8 {
        least = min(least, processorTime(of: small))
        most = min(most, processorTime(of: large))
        if most < 9 * max(least, 0.000_5) { return true }
    }
    return false
}

/// In seconds.
private func processorTime(of work: () -> Void) -> Double {
    var (start, end) = (timespec(), timespec())
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
    work()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
    return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
}
