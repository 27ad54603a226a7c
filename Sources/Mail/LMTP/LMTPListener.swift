internal import CLinux
internal import Glibc

/// The listening socket of LMTP; a Unix socket's file goes with it.
public final class LMTPListener: Sendable {
    private let descriptor: CInt
    private let path: String?
    /// The port that the system chose for port 0; 0 for a Unix socket.
    public let port: UInt16

    /// Listens from now on; clients wait in the kernel's queue until they are served.
    public init(on endpoint: LMTPEndpoint) throws(LMTPError) {
        switch endpoint {
        case .socket(let path):
            descriptor = try Self.listen(path: path)
            (self.path, port) = (path, 0)
        case .loopback(let host, let port):
            (descriptor, self.port) = try Self.listen(host: host, port: port)
            path = nil
        }
    }

    deinit {
        if let path { unlink(path) }
        close(descriptor)
    }

    /// The next client; blocks, and is nil once `stop` was called.
    func accept() -> LMTPSocket? {
        while true {
            let client = accept4(descriptor, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
            if client >= 0 { return LMTPSocket(owning: client) }
            switch errno {
            // Out of descriptors: the client stays in the queue, and others will be closed soon.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
            case EINTR, ECONNABORTED, EPROTO, EAGAIN: continue
            default: return nil
            }
        }
    }

    /// Ends the wait for clients; new ones are refused.
    func stop() { shutdown(descriptor, CInt(SHUT_RDWR)) }

    /// A file that a crash left is replaced in one step; who may connect is decided by the folder's mode.
    private static func listen(path: String) throws(LMTPError) -> CInt {
        var facts = stat()
        if lstat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFSOCK {
            throw LMTPError("\(path) is there already, and no socket.")
        }
        let fresh = path + ".new"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard fresh.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw LMTPError("\(path): a socket's name has at most 103 bytes.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: fresh.utf8) }
        unlink(fresh)
        let descriptor = try bound(AF_UNIX, to: address, named: path)
        guard chmod(fresh, 0o666) == 0, rename(fresh, path) == 0 else {
            let error = failure(path)
            unlink(fresh)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func listen(host: String, port: UInt16) throws(LMTPError) -> (CInt, UInt16) {
        let name = LMTPEndpoint.loopback(host: host, port: port).description
        guard host == "::1" else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let descriptor = try bound(AF_INET, to: address, named: name)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            _ = withUnsafeMutableBytes(of: &address) { bytes in
                getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &size)
            }
            return (descriptor, UInt16(bigEndian: address.sin_port))
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return (try bound(AF_INET6, to: address, named: name), port)
    }

    private static func bound<Address>(
        _ family: CInt, to address: Address, named name: String
    ) throws(LMTPError) -> CInt {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure(name) }
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        let isListening = withUnsafeBytes(of: address) { bytes in
            let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            return bind(descriptor, pointer, socklen_t(bytes.count)) == 0 && Glibc.listen(descriptor, 128) == 0
        }
        guard isListening else {
            let error = failure(name)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func failure(_ name: String) -> LMTPError {
        LMTPError("\(name) cannot be listened on: \(String(cString: strerror(errno))).")
    }
}

/// The listener cannot be made; one sentence with the cause.
public struct LMTPError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
