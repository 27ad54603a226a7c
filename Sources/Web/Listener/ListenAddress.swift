internal import Glibc

/// Where to listen: `127.0.0.1:8080`, `[::1]:8080`, or `:8080` for all addresses; port 0 takes a free one.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        self.host = String(host)
        self.port = port
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The listener cannot start.
public struct ListenError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ address: ListenAddress, _ cause: String) {
        description = "Cannot listen on \(address): \(cause). Is another Pinpost running? Else set another address."
    }
}

extension ListenAddress {
    /// A socket that listens; the caller closes it.
    func listen() throws(ListenError) -> CInt {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host.isEmpty ? nil : host, String(port), &hints, &found)
        defer { found.map { freeaddrinfo($0) } }
        guard status == 0, let address = found?.pointee else {
            throw ListenError(self, String(cString: gai_strerror(status)))
        }
        let socket = Glibc.socket(address.ai_family, address.ai_socktype | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw ListenError(self, String(cString: strerror(errno))) }
        var on: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        guard bind(socket, address.ai_addr, address.ai_addrlen) == 0, Glibc.listen(socket, 1_024) == 0,
            fcntl(socket, F_SETFL, O_NONBLOCK) == 0
        else {
            let cause = String(cString: strerror(errno))
            close(socket)
            throw ListenError(self, cause)
        }
        return socket
    }

    static func boundPort(of socket: CInt) -> UInt16 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard getsockname(socket, pointer, &length) == 0 else { return 0 }
                // The port stands at the same place in sockaddr_in and sockaddr_in6.
                return UInt16(bigEndian: UnsafeRawPointer(pointer).load(fromByteOffset: 2, as: UInt16.self))
            }
        }
    }
}
