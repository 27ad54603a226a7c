import Glibc
import PinpostCore

/// A TCP client that sends exactly the given bytes; every call has a time limit and blocks its thread.
struct RawClient: ~Copyable {
    /// Seconds after which a call is a fault; it says nothing about speed.
    static let patience = 120

    private let socket: CInt

    init(port: UInt16) throws {
        let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // Before it is ours: the end of a value that throws in its own `init` would close it a second time.
        guard status == 0 else {
            close(socket)
            throw ClientError.notConnected
        }
        self.socket = socket
        setTimeout(milliseconds: Self.patience * 1_000)
    }

    deinit { close(socket) }

    /// How long sending or receiving may take.
    func setTimeout(milliseconds: Int) {
        var timeout = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    enum ClientError: Error { case notConnected, timedOut }

    /// Closing will send RST instead of FIN.
    func resetOnClose() {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Every piece becomes a packet of its own.
    func noDelay() {
        var on: CInt = 1
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
    }

    /// False when the other side does not take the bytes any more.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            // A process that was halted and goes on finds a wait with a limit interrupted (signal(7)).
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    func endSending() { shutdown(socket, CInt(SHUT_WR)) }

    /// Up to 64 KiB; empty at the end of the stream.
    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var count = -1
        repeat { count = recv(socket, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        if count < 0, errno == EAGAIN { throw ClientError.timedOut }
        return Array(buffer.prefix(max(count, 0)))
    }

    /// One answer by its Content-Length; nil when the stream ends before it.
    func response() throws -> RawResponse? {
        var bytes: [UInt8] = []
        while true {
            if let response = RawResponse(bytes) { return response }
            let more = try receive()
            if more.isEmpty { return nil }
            bytes += more
        }
    }

    /// The statuses of that many answers in a row; fewer when the stream ends.
    func statuses(_ count: Int) throws -> [Int] {
        var bytes: [UInt8] = []
        var statuses: [Int] = []
        while statuses.count < count {
            if let response = RawResponse(bytes) {
                statuses.append(response.status)
                bytes.removeFirst(response.byteCount)
            } else {
                let more = try receive()
                if more.isEmpty { break }
                bytes += more
            }
        }
        return statuses
    }

    /// Everything until the other side closes.
    func rest() throws -> String {
        var bytes: [UInt8] = []
        while case let more = try receive(), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct RawResponse: Sendable {
    let status: Int
    let fields: [(name: String, value: String)]
    let body: String
    let byteCount: Int

    /// Nil while bytes are missing.
    init?(_ bytes: [UInt8]) {
        guard let end = Self.headEnd(bytes) else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        guard status == 100 || bytes.count >= end + 4 + length else { return nil }
        byteCount = status == 100 ? end + 4 : end + 4 + length
        body = status == 100 ? "" : String(decoding: bytes[(end + 4)..<(end + 4 + length)], as: UTF8.self)
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { Array(bytes[$0..<($0 + 4)]) == Array("\r\n\r\n".utf8) }
    }

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
    var closes: Bool { field("connection") == "close" }
}
