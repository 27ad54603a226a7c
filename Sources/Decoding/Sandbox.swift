import CLinux
import CSeccomp
public import DecoderProtocol
import Glibc

/// Closes a process: after `enter` it can compute, use the descriptors that it has, and end.
public enum Sandbox {
    /// What a worker's libraries need beyond the 18 calls of a single-threaded program that opens nothing.
    public struct Permissions: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// What glibc needs to start threads.
        public static let threads = Permissions(rawValue: 1)
        /// Cairo asks whether a font that it has loaded is still readable: it hears yes, the kernel is not asked.
        public static let loadedFonts = Permissions(rawValue: 2)
    }

    private static let basicCalls = [
        "read", "write", "lseek", "close", "fstat", "newfstatat", "mmap", "munmap", "mremap", "madvise", "brk", "futex",
        "clock_gettime", "getrandom", "getrusage", "rt_sigreturn", "exit", "exit_group",
    ]

    private static let threadCalls = [
        "mprotect", "rt_sigprocmask", "rt_sigaction", "set_robust_list", "rseq", "sched_getaffinity", "sched_yield",
        "prlimit64", "gettid", "getpid",
    ]

    private static let accessCalls = ["access", "faccessat", "faccessat2"]

    /// Loads the filter; a call that is not allowed kills the process.
    /// - Throws: `.sandboxUnavailable` when the kernel refuses it. The caller must not read anything then.
    public static func enter(_ permissions: Permissions) throws(Failure) {
        guard pinpost_forbid_new_privileges() == 0, pinpost_forbid_tracing() == 0 else {
            throw Failure(.sandboxUnavailable, "prctl failed with errno \(errno)")
        }
        guard let filter = seccomp_init(pinpost_seccomp_kill_process()) else {
            throw Failure(.sandboxUnavailable, "seccomp_init failed")
        }
        defer { seccomp_release(filter) }
        try add(pinpost_seccomp_allow(), basicCalls, to: filter)
        if permissions.contains(.threads) {
            try add(pinpost_seccomp_allow(), threadCalls, to: filter)
            try allowThreadsOnly(in: filter)
        }
        if permissions.contains(.loadedFonts) {
            try add(pinpost_seccomp_pretend_success(), accessCalls, to: filter)
        }
        let status = seccomp_load(filter)
        guard status == 0 else { throw Failure(.sandboxUnavailable, "seccomp_load failed with errno \(-status)") }
    }

    /// `clone` may make threads but no processes; `clone3` hides its flags in memory, so glibc is sent back to `clone`.
    ///
    /// Of `prctl` only the naming of a thread is left.
    private static func allowThreadsOnly(in filter: scmp_filter_ctx) throws(Failure) {
        let threadFlag = scmp_datum_t(pinpost_clone_thread)
        let isThread = scmp_arg_cmp(arg: 0, op: SCMP_CMP_MASKED_EQ, datum_a: threadFlag, datum_b: threadFlag)
        try add(pinpost_seccomp_allow(), ["clone"], where: [isThread], to: filter)
        try add(pinpost_seccomp_not_implemented(), ["clone3"], to: filter)
        let namesThread = scmp_arg_cmp(arg: 0, op: SCMP_CMP_EQ, datum_a: scmp_datum_t(PR_SET_NAME), datum_b: 0)
        try add(pinpost_seccomp_allow(), ["prctl"], where: [namesThread], to: filter)
    }

    private static func add(
        _ action: UInt32, _ names: [String], where conditions: [scmp_arg_cmp] = [], to filter: scmp_filter_ctx
    ) throws(Failure) {
        for name in names {
            let number = seccomp_syscall_resolve_name(name)
            // A call that this architecture does not have needs no rule.
            guard number != __NR_SCMP_ERROR else { continue }
            let status = seccomp_rule_add_array(filter, action, number, CUnsignedInt(conditions.count), conditions)
            guard status == 0 else { throw Failure(.sandboxUnavailable, "no rule for \(name): errno \(-status)") }
        }
    }
}
