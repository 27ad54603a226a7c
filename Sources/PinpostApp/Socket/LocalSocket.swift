import CLinux
import Glibc

/// One connected or listening Unix stream socket; closed with its last owner.
final class LocalSocket: Sendable {
    let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    private static func make() throws(SystemFailure) -> LocalSocket {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw SystemFailure() }
        return LocalSocket(descriptor)
    }

    /// Connects to a socket file; `ENOENT` and `ECONNREFUSED` mean that nobody listens.
    static func connect(to path: String, deadline: Int) throws(SystemFailure) -> LocalSocket {
        let socket = try make()
        let status = try withAddress(of: path) { Glibc.connect(socket.descriptor, $0, $1) }
        guard status == 0 else { throw SystemFailure() }
        socket.limit(seconds: deadline)
        return socket
    }

    /// Listens on a socket file of mode 0600; one that a crash left is replaced in one step.
    static func listen(on path: String) throws(SystemFailure) -> LocalSocket {
        let socket = try make()
        let fresh = path + ".new"
        unlink(fresh)
        let status = try withAddress(of: fresh) { bind(socket.descriptor, $0, $1) }
        guard status == 0, chmod(fresh, 0o600) == 0, Glibc.listen(socket.descriptor, 64) == 0, rename(fresh, path) == 0,
            fcntl(socket.descriptor, F_SETFL, O_NONBLOCK) == 0
        else {
            let failure = SystemFailure()
            unlink(fresh)
            throw failure
        }
        return socket
    }

    /// The next client of a listening socket, without waiting; `EAGAIN` when there is none.
    func accept() throws(SystemFailure) -> LocalSocket {
        let client = accept4(descriptor, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
        guard client >= 0 else { throw SystemFailure() }
        return LocalSocket(client)
    }

    /// The user at the other end.
    var peer: uid_t? {
        var credentials = pinpost_peer()
        var length = socklen_t(MemoryLayout<pinpost_peer>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return nil }
        return credentials.uid
    }

    /// Ends every read, waiting ones too; writing goes on.
    func stopReading() { shutdown(descriptor, CInt(SHUT_RD)) }

    /// How long one read or write may wait.
    func limit(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, length)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, length)
    }

    /// Names the file through a descriptor of its folder, since a socket's name has only 107 bytes.
    private static func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws(SystemFailure) -> CInt {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let folder = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw SystemFailure() }
        defer { close(folder) }
        let name = Array("/proc/self/fd/\(folder)\(path[slash...])".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw SystemFailure(code: ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Whole frames: four bytes of length, most significant first, and that many bytes.
///
/// All of these block; call them on a `BlockingPool`.
extension LocalSocket {
    /// nil when the other side has closed between two frames.
    func readFrame(limit: Int) throws(SystemFailure) -> [UInt8]? {
        guard let head = try read(4, mayEnd: true) else { return nil }
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        guard count <= limit else { throw SystemFailure(code: EMSGSIZE) }
        return try read(count, mayEnd: false)
    }

    func writeFrame(_ bytes: [UInt8]) throws(SystemFailure) {
        let count = UInt32(clamping: bytes.count)
        try write(
            [
                UInt8(truncatingIfNeeded: count >> 24), UInt8(truncatingIfNeeded: count >> 16),
                UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count),
            ] + bytes)
    }

    private func read(_ count: Int, mayEnd: Bool) throws(SystemFailure) -> [UInt8]? {
        var filled = 0
        var failure: SystemFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count, let base = buffer.baseAddress {
                let result = recv(descriptor, base + filled, count - filled, 0)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failure = SystemFailure() }
                if result <= 0 { break }
                filled += result
            }
            initialized = filled
        }
        if let failure { throw failure }
        if filled == 0, count > 0, mayEnd { return nil }
        guard filled == count else { throw SystemFailure(code: ECONNRESET) }
        return bytes
    }

    private func write(_ bytes: [UInt8]) throws(SystemFailure) {
        var sent = 0
        while sent < bytes.count {
            let result = bytes.withUnsafeBytes { buffer in
                send(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, CInt(MSG_NOSIGNAL))
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw SystemFailure() }
            sent += result
        }
    }
}
