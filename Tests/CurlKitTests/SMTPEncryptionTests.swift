import CurlKit
import PinpostCore
import PinpostTesting
import Testing

@Suite("Sending mail over TLS", .enabled(if: TLSServer.isAvailable), .timeLimit(.minutes(10)))
struct SMTPEncryptionTests {
    private static let pool = BlockingPool(width: 1)
    private static let mail = Array("Subject: x\r\n\r\nhello\r\n".utf8)

    private func send(
        to port: Int, _ encryption: StreamTarget.Encryption, trusting pem: String? = nil,
        timeout: Duration = .seconds(30)
    ) async throws {
        let recipient = try #require(MailAddress("ada@example.org"))
        let target = StreamTarget(host: "127.0.0.1", port: port, encryption: encryption, caPEM: pem)
        let login = StreamLogin.password(user: "pins", Secret(copying: Array("s3cret".utf8)))
        try await SMTPClient(target, name: "x.example", pool: Self.pool, timeout: timeout)
            .send(Self.mail, to: recipient, as: login)
    }

    private func words(_ body: () async throws -> Void) async -> SMTPError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? SMTPError
        }
    }

    @Test(
        "a mail arrives, and the password with it, where the server's own authority is given",
        arguments: [StreamTarget.Encryption.tls, .starttls])
    func arrives(_ encryption: StreamTarget.Encryption) async throws {
        let sink = try SMTPSink()
        let relay = try TLSRelay(to: sink.port, startTLS: encryption == .starttls)
        try await send(to: relay.port, encryption, trusting: relay.certificatePEM)
        #expect(sink.mails.map(\.text) == [String(decoding: Self.mail, as: UTF8.self)])
        #expect(sink.commands.contains { $0.hasPrefix("AUTH ") })
        #expect(!sink.commands.contains("STARTTLS"))
    }

    @Test(
        "without it nothing is said, and the error names what to give",
        arguments: [StreamTarget.Encryption.tls, .starttls])
    func untrusted(_ encryption: StreamTarget.Encryption) async throws {
        let sink = try SMTPSink()
        let relay = try TLSRelay(to: sink.port, startTLS: encryption == .starttls)
        let error = await words { try await send(to: relay.port, encryption) }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("127.0.0.1:\(relay.port)") == true, "\(error?.detail ?? "")")
        #expect(error?.detail.contains("PINPOST_SMTP_CA_FILE") == true, "\(error?.detail ?? "")")
        #expect(!sink.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
    }

    @Test("TLS to a port without, and the other way round, is told with what to change")
    func wrongWay() async throws {
        let sink = try SMTPSink()
        let plain = await words { try await send(to: sink.port, .tls) }
        #expect(plain?.code == .unavailable)
        #expect(plain?.detail.contains("does not speak TLS from the start") == true, "\(plain?.detail ?? "")")
        #expect(plain?.detail.contains("smtp://") == true)
        let bare = await words { try await send(to: sink.port, .starttls) }
        #expect(bare?.detail.contains("offers no STARTTLS") == true, "\(bare?.detail ?? "")")
        #expect(bare?.detail.contains("smtps://") == true)
        let relay = try TLSRelay(to: sink.port, startTLS: false)
        var (silent, limit) = (SMTPError?.none, Duration.seconds(1))
        // A slow machine may use up the time before there is a connection: then with more of it.
        repeat {
            silent = await words { try await send(to: relay.port, .starttls, timeout: limit) }
            limit *= 4
        } while silent?.detail.contains(": Connection timed out") == true && limit < Patience.limit
        #expect(silent?.detail.contains("a port for TLS from the start") == true, "\(silent?.detail ?? "")")
        #expect(!sink.commands.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") })
    }

    @Test("a server that is not there is named")
    func nobody() async throws {
        let error = await words { try await send(to: 1, .none) }
        #expect(error?.detail.contains("127.0.0.1:1") == true)
    }
}
