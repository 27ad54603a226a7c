import Glibc
import PinpostCore

/// A TLS server with a self-signed certificate for 127.0.0.1, run by the `openssl` command.
///
/// Answers every GET with a page; ends with the object.
public final class TLSServer: Sendable {
    public let port: Int
    private let certificate: TestCertificate
    private let process: ChildProcess
    /// The server's standard output; closed too early, it would end the server.
    private let output: CInt

    /// The certificate that a client has to trust.
    public var certificatePEM: String { certificate.pem }
    public var url: String { "https://127.0.0.1:\(port)" }

    public static var isAvailable: Bool { access("/usr/bin/openssl", X_OK) == 0 }

    /// Makes a key and a certificate, and waits until the server listens; `name` is the subject's alternative name.
    public init(name: String = "IP:127.0.0.1") throws(LoopbackError) {
        certificate = try TestCertificate(name: name)
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("no pipe") }
        defer { close(ends[1]) }
        do throws(LoopbackError) {
            process = try ChildProcess(
                "/usr/bin/openssl",
                [
                    "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key", certificate.keyPath,
                    "-www",
                ], output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        guard let port = Self.port(announcedOn: ends[0]) else {
            close(ends[0])
            throw LoopbackError("openssl does not listen")
        }
        self.port = port
        output = ends[0]
    }

    deinit {
        process.end(with: SIGKILL)
        close(output)
    }

    /// `ACCEPT 127.0.0.1:PORT` among the first lines of `s_server`.
    private static func port(announcedOn descriptor: CInt) -> Int? {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 256)
        while true {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix("ACCEPT") }) {
                return line.split(separator: ":").last.flatMap { Int($0) }
            }
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return nil }
            text += String(decoding: chunk[..<count], as: UTF8.self)
        }
    }
}
