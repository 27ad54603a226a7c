import CLinux
import Glibc

/// The heaps of the C library (glibc, mallopt(3), `M_ARENA_MAX`).
enum Heaps {
    /// Lets all threads share two heaps for each processor, four at least; to be called before they start.
    ///
    /// With eight for each, as it is by itself, what one thread gave back is of no use to most others; with one for each,
    /// a rush of webhooks waits at their locks (a sixth less of them).
    static func share() {
        mallopt(pinpost_arena_max, CInt(clamping: max(2 * sysconf(CInt(_SC_NPROCESSORS_ONLN)), 4)))
    }
}
