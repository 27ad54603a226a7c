import Glibc

/// A system call that failed.
struct SystemFailure: Error, Hashable {
    let code: CInt

    /// Takes the calling thread's `errno`.
    init() { code = errno }

    init(code: CInt) { self.code = code }

    var reason: String { String(cString: strerror(code)) }
}
