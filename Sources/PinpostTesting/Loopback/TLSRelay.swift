import CSSL
import Glibc
import PinpostCore

/// Speaks TLS with a self-signed certificate for 127.0.0.1 in front of a server without, from the first byte on or
/// after STARTTLS (SMTP).
public final class TLSRelay: Sendable {
    public let port: Int
    private let certificate: TestCertificate
    private let listener: Listener
    private let stopSignal: StopSignal

    /// The certificate that a client has to trust.
    public var certificatePEM: String { certificate.pem }

    public init(to server: Int, startTLS: Bool) throws(LoopbackError) {
        certificate = try TestCertificate()
        listener = try Listener(port: 0)
        stopSignal = try StopSignal()
        port = listener.port
        listener.acceptClients(until: stopSignal) { [certificate, stopSignal] client in
            startThread {
                defer { close(client) }
                guard let backend = Socket.connect(to: server) else { return }
                defer { close(backend) }
                if startTLS, !Self.upgrade(client, stopSignal, backend) { return }
                TLSSession(client, certificate)?.relay(to: backend, orUntil: stopSignal)
            }
        }
    }

    deinit { stopSignal.fire() }

    /// The clear part of a session: the server's greeting, then EHLO and STARTTLS, which it never hears of.
    private static func upgrade(_ client: CInt, _ stop: StopSignal, _ backend: CInt) -> Bool {
        var (lines, greeting) = (LineReader(client, stop), LineReader(backend, stop))
        guard let line = greeting.next(), Socket.write(Array((line + "\r\n").utf8), to: client) else { return false }
        while let line = lines.next() {
            let isUpgrade = line.uppercased() == "STARTTLS"
            let answer = isUpgrade ? "220 go on\r\n" : "250-relay.example\r\n250 STARTTLS\r\n"
            guard Socket.write(Array(answer.utf8), to: client) else { return false }
            if isUpgrade { return true }
        }
        return false
    }
}

/// The server's side of one TLS connection; one thread uses it.
private final class TLSSession {
    private let context: OpaquePointer
    private let session: OpaquePointer
    private let client: CInt

    /// nil where the client does not agree.
    init?(_ client: CInt, _ certificate: TestCertificate) {
        guard let context = SSL_CTX_new(TLS_server_method()) else { return nil }
        guard SSL_CTX_use_certificate_file(context, certificate.path, SSL_FILETYPE_PEM) == 1,
            SSL_CTX_use_PrivateKey_file(context, certificate.keyPath, SSL_FILETYPE_PEM) == 1,
            let session = SSL_new(context)
        else {
            SSL_CTX_free(context)
            return nil
        }
        (self.context, self.session, self.client) = (context, session, client)
        guard SSL_set_fd(session, client) == 1, SSL_accept(session) == 1 else { return nil }
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
    }

    /// Passes on what comes from either side until one of them closes.
    func relay(to backend: CInt, orUntil stop: StopSignal) {
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            var waits = [client, backend, stop.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if SSL_pending(session) == 0 { while poll(&waits, 3, -1) < 0 && errno == EINTR {} }
            if waits[2].revents != 0 { return }
            if waits[1].revents != 0 {
                let count = recv(backend, &piece, piece.count, 0)
                guard count > 0, SSL_write(session, piece, CInt(count)) == CInt(count) else { return }
            }
            if waits[0].revents != 0 || SSL_pending(session) > 0 {
                let count = SSL_read(session, &piece, CInt(piece.count))
                guard count > 0, Socket.write(Array(piece[..<Int(count)]), to: backend) else { return }
            }
        }
    }
}
