import CLinux
import DecoderProtocol
import Glibc

/// The ceilings that the kernel enforces on a decoder process.
struct ResourceLimits {
    var addressSpace: UInt = 512 << 20
    /// Seconds of CPU for the picture.
    var cpuSeconds: UInt = 20
    /// The largest picture that may be written.
    var fileSize: UInt = 64 << 20
    /// The passed descriptors exist already; no new one may appear.
    var descriptors: UInt = UInt(Descriptors.firstUnused)

    /// Sets all limits.
    /// - Throws: `.sandboxUnavailable`.
    func apply() throws(Failure) {
        try Self.set(RLIMIT_AS, to: addressSpace)
        // A second between soft and hard limit lets the process die of SIGXCPU, which names the reason.
        try Self.set(RLIMIT_CPU, to: cpuSeconds, hard: cpuSeconds + 1)
        try Self.set(RLIMIT_FSIZE, to: fileSize)
        try Self.set(RLIMIT_NOFILE, to: descriptors)
        try Self.set(RLIMIT_CORE, to: 0)
    }

    private static func set(_ resource: __rlimit_resource, to value: UInt, hard: UInt? = nil) throws(Failure) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(hard ?? value))
        guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
            throw Failure(.sandboxUnavailable, "setrlimit failed with errno \(errno)")
        }
    }
}
