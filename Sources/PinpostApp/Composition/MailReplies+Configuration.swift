import CurlKit
import Mail
import PinpostCore

extension MailReplies {
    /// Answers through the configured server; nil where none is.
    ///
    /// A password or certificates that cannot be read stop
    /// the start.
    init?(
        _ configuration: Configuration, opened: OpenedStore, pool: BlockingPool, trust: SenderTrust,
        surroundings: Surroundings
    ) throws {
        guard let outgoing = configuration.outgoing else { return nil }
        var server = outgoing.server
        server.caPEM = try outgoing.caFile.map { String(decoding: try Self.contents(of: $0), as: UTF8.self) }
        let login = try Self.login(outgoing)
        self.init(
            smtp: SMTPClient(server, name: outgoing.from.domain, pool: BlockingPool(width: 4)), login: { login },
            voice: ReplyVoice(from: outgoing.from, addressing: configuration.mail.addressing), gate: opened.store,
            blobs: opened.store, pool: pool,
            isSenderTrusted: { message throws(StoreError) in
                try await trust.proves(message, in: opened.store, pool: pool)
            }, surroundings: surroundings)
    }

    private static func login(_ outgoing: OutgoingMail) throws -> StreamLogin? {
        guard let user = outgoing.user else { return nil }
        if let password = outgoing.password { return .password(user: user, password) }
        guard let path = outgoing.passwordFile else { return nil }
        var bytes = try contents(of: path)
        while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
        return .password(user: user, Secret(taking: &bytes))
    }

    private static func contents(of path: String) throws -> [UInt8] {
        do {
            return try ReadFile.bytes(of: path, limit: 1 << 20)
        } catch {
            throw Failure("configuration", "\(path) cannot be read: \(error.reason).", exit: .configuration)
        }
    }
}
