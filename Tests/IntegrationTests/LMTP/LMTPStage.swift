import Mail
import PinpostCore
import PinpostTesting

/// The LMTP listener on a free port, in front of the stage's store.
struct LMTPStage: Sendable {
    let stage: MailboxStage
    let port: Int

    static func open(
        _ limits: LMTPLimits = LMTPLimits(), in folder: String? = nil, within allowance: (any Allowance)? = nil,
        _ body: @Sendable (LMTPStage) async throws -> Void
    ) async throws {
        try await MailboxStage.open(in: folder, within: allowance) { stage in
            let listener = try LMTPListener(on: .loopback(host: "127.0.0.1", port: 0))
            let service = LMTPService(on: listener, intake: stage.ports.intake, limits: limits, logger: .silent)
            try await serving(service) { try await body(LMTPStage(stage: stage, port: Int(listener.port))) }
        }
    }

    static func serving(_ service: LMTPService, _ body: () async throws -> Void) async throws {
        let shutdown = Shutdown()
        async let served: Void = service.run(until: shutdown)
        do {
            try await body()
        } catch {
            shutdown.request()
            try await served
            throw error
        }
        shutdown.request()
        try await served
    }

    /// A client that has been greeted.
    func client() async throws -> LMTPClient {
        let client = try LMTPClient(port: port)
        _ = await client.reply()
        return client
    }

    /// A client that has said LHLO, MAIL and RCPT for these addresses.
    func client(for recipients: [String]) async throws -> LMTPClient {
        let client = try await client()
        _ = await client.say("LHLO mx.example.net")
        _ = await client.say("MAIL FROM:<ada@example.net>")
        for recipient in recipients { _ = await client.say("RCPT TO:<\(recipient)>") }
        return client
    }

    var address: String { stage.addresses[0] }
}
