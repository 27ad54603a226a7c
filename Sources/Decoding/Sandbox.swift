import CLinux
import CSeccomp
public import DecoderProtocol
import Glibc

/// Closes a process: after `enter` it can compute, use the descriptors that it has, and end. Nothing else.
public enum Sandbox {
    /// What the allow-list leaves open.
    public enum Permissions: Sendable {
        /// The 18 calls of a single-threaded program that opens nothing.
        case oneThread
        /// These, and what glibc needs to start threads (libde265 and dav1d inside libheif do).
        case threads
    }

    private static let basicCalls = [
        "read", "write", "lseek", "close", "fstat", "newfstatat", "mmap", "munmap", "mremap", "madvise", "brk", "futex",
        "clock_gettime", "getrandom", "getrusage", "rt_sigreturn", "exit", "exit_group",
    ]

    private static let threadCalls = [
        "mprotect", "rt_sigprocmask", "rt_sigaction", "set_robust_list", "rseq", "sched_getaffinity", "sched_yield",
        "prlimit64", "gettid", "getpid",
    ]

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
        try allow(basicCalls, in: filter)
        if permissions == .threads {
            try allow(threadCalls, in: filter)
            try allowThreadsOnly(in: filter)
        }
        let status = seccomp_load(filter)
        guard status == 0 else { throw Failure(.sandboxUnavailable, "seccomp_load failed with errno \(-status)") }
    }

    private static func allow(_ names: [String], in filter: scmp_filter_ctx) throws(Failure) {
        for name in names {
            let number = seccomp_syscall_resolve_name(name)
            // A call that this architecture does not have needs no rule.
            guard number != __NR_SCMP_ERROR else { continue }
            try add(pinpost_seccomp_allow(), number, [], to: filter)
        }
    }

    /// `clone` may make threads but no processes; `clone3` hides its flags in memory, so glibc is sent back to `clone`.
    private static func allowThreadsOnly(in filter: scmp_filter_ctx) throws(Failure) {
        let threadFlag = scmp_datum_t(pinpost_clone_thread)
        let isThread = scmp_arg_cmp(arg: 0, op: SCMP_CMP_MASKED_EQ, datum_a: threadFlag, datum_b: threadFlag)
        try add(pinpost_seccomp_allow(), seccomp_syscall_resolve_name("clone"), [isThread], to: filter)
        try add(pinpost_seccomp_not_implemented(), seccomp_syscall_resolve_name("clone3"), [], to: filter)
    }

    private static func add(
        _ action: UInt32, _ call: CInt, _ conditions: [scmp_arg_cmp], to filter: scmp_filter_ctx
    ) throws(Failure) {
        let status = seccomp_rule_add_array(filter, action, call, CUnsignedInt(conditions.count), conditions)
        guard status == 0 else { throw Failure(.sandboxUnavailable, "seccomp_rule_add failed with errno \(-status)") }
    }
}
