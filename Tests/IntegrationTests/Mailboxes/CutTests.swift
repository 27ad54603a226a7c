import FoundationEssentials
import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Broken connections", .enabled(if: Dovecot.isAvailable), .timeLimit(.minutes(10)))
struct CutTests {
    /// `PINPOST_TEST_CUTS` cuts at that many places, else at some.
    private static let cuts = ProcessInfo.processInfo.environment["PINPOST_TEST_CUTS"].flatMap { Int($0) } ?? 40

    @Test("a session that is cut anywhere takes each mail exactly once and moves it once", arguments: [false, true])
    func cut(_ tls: Bool) async throws {
        let dovecot = try await Dovecot()
        let proxy = try CuttingProxy(to: tls ? dovecot.tlsPort : dovecot.port)
        try await MailboxStage.open { stage in
            let mailbox = try await stage.addMailbox(port: proxy.port) { settings in
                settings.encryption = tls ? .tls : .none
                settings.caPEM = dovecot.certificatePEM
                settings.afterwards = .mark
            }
            // How long a whole session is.
            dovecot.deliver(stage.mail("first", size: 100))
            try await stage.service.look(at: mailbox)
            let length = proxy.passed
            let before = stage.openDescriptors
            for cut in 0..<Self.cuts {
                dovecot.deliver(stage.mail("cut-\(cut)", size: 100))
                proxy.cutNext(after: 1 + cut * length / Self.cuts)
                try? await stage.service.look(at: mailbox)
            }
            try await stage.service.look(at: mailbox)
            let messages = try await stage.messages(Self.cuts + 1)
            #expect(messages.count == Self.cuts + 1)
            let health = try await stage.store.health(of: mailbox.id)
            #expect(health.taken == Self.cuts + 1 && health.quarantined == 0)
            #expect(try await eventually({ $0 == 0 }) { proxy.open } == 0)
            #expect(try await eventually({ $0 <= before }) { stage.openDescriptors } <= before)
        }
    }
}

extension MailboxStage {
    /// Descriptors of this process.
    var openDescriptors: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }
}
