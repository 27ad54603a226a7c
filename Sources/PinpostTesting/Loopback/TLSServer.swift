import Glibc
import PinpostCore

/// A TLS server with a self-signed certificate for 127.0.0.1, run by the `openssl` command.
///
/// Answers every GET with a page; ends with the object.
public final class TLSServer: Sendable {
    public let port: Int
    /// The certificate that a client has to trust.
    public let certificatePEM: String
    private let process: pid_t
    private let folder: String
    /// The server's standard output; closed too early, it would end the server.
    private let output: CInt

    public var url: String { "https://127.0.0.1:\(port)" }

    public static var isAvailable: Bool { access("/usr/bin/openssl", X_OK) == 0 }

    /// Makes a key and a certificate, and waits until the server listens; `name` is the subject's alternative name.
    public init(name: String = "IP:127.0.0.1") throws(LoopbackError) {
        var template = Array("/tmp/pinpost-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw LoopbackError("no folder for a certificate") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let (key, certificate) = ("\(folder)/key.pem", "\(folder)/certificate.pem")
        let request = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=Pinpost test", "-addext", "subjectAltName=\(name)", "-keyout", key, "-out", certificate,
        ]
        let maker = try Self.start(request, output: nil)
        var status: CInt = 0
        guard waitpid(maker, &status, 0) == maker, status == 0 else { throw LoopbackError("no certificate was made") }
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackError("no pipe") }
        process = try Self.start(
            ["s_server", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", key, "-www"], output: ends[1])
        close(ends[1])
        guard let port = Self.port(announcedOn: ends[0]) else {
            kill(process, SIGKILL)
            close(ends[0])
            throw LoopbackError("openssl does not listen")
        }
        self.port = port
        output = ends[0]
        self.folder = folder
        certificatePEM = Self.text(of: certificate)
    }

    deinit {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        close(output)
        for name in ["key.pem", "certificate.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static func start(_ arguments: [String], output: CInt?) throws(LoopbackError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = (["openssl"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, "/usr/bin/openssl", &actions, nil, &words, environ) == 0 else {
            throw LoopbackError("openssl cannot be started")
        }
        return process
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

    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
