import Glibc

/// Waits for the address that a browser is sent to: by listening there, or from a person who pastes it.
final class BrowserAnswer: Sendable {
    private let listener: CInt
    let port: UInt16

    private static let limit = 16 << 10
    private static let page = """
        HTTP/1.1 200 OK\r
        Content-Type: text/plain; charset=utf-8\r
        Connection: close\r
        \r
        Pinpost has heard. You can close this page.

        """

    /// Listens on a free port of the loopback.
    init() throws(SystemFailure) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, size) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, pointer, &size) == 0
            }
        }
        listener = descriptor
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw SystemFailure() }
    }

    deinit { close(listener) }

    /// The browser's path and query, or the pasted line; nil when the time is over.
    ///
    /// Blocks.
    func wait(console: Console, seconds: Int) -> String? {
        let end = time(nil) + seconds
        var isTyping = true
        while time(nil) < end {
            var waits = [
                pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
                // poll passes over a negative descriptor.
                pollfd(fd: isTyping ? console.input : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, 2, 1_000) > 0 else { continue }
            if waits[0].revents != 0, let target = serve() { return target }
            if waits[1].revents != 0 {
                if let line = console.ask(""), !line.isEmpty { return line }
                isTyping = false
            }
        }
        return nil
    }

    /// Answers one request; nil for one that brings nothing, such as that for an icon.
    private func serve() -> String? {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return nil }
        defer { close(client) }
        var timeout = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4 << 10)
        while !request.contains(0x0A), request.count < Self.limit {
            let count = recv(client, &piece, piece.count, 0)
            // Whoever halts us and lets us go on interrupts a wait with a limit (signal(7)).
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            request += piece[..<count]
        }
        let line = String(decoding: request.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
        let words = line.split(separator: " ")
        let page = Array(Self.page.utf8)
        _ = send(client, page, page.count, CInt(MSG_NOSIGNAL))
        guard words.count == 3, words[0] == "GET", words[1].contains("?") else { return nil }
        return String(words[1])
    }
}
