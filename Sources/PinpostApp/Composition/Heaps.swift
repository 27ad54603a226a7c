import CLinux
import Glibc

/// The heaps of the C library (glibc, mallopt(3), `M_ARENA_MAX`).
enum Heaps {
    /// Lets all threads share as many heaps as there are processors, two at least; to be called before they start.
    ///
    /// With one for each of the first sixteen threads, as it is by itself, what one gave back is of no use to the others.
    static func share() {
        mallopt(pinpost_arena_max, CInt(clamping: max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2)))
    }
}
