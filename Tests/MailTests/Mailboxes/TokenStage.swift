import FoundationEssentials
import PinpostCore
import PinpostTesting
import Synchronization

@testable import Mail

/// A mailbox with OAuth2 whose provider and store do as a test says.
final class TokenStage: MailboxDirectory, SecretKeeper, HTTPExchange, Sendable {
    struct Script: Sendable {
        var mailbox: WatchedMailbox
        /// What the token endpoint answers, one after the other; the last one stays.
        var answers: [(status: Int, body: String)] = []
        /// Refresh tokens that it was asked with.
        var asked: [String] = []
        var isDiskFull = false
        var now = Date(timeIntervalSince1970: 1_750_000_000)
        var sealed = 0
        /// Runs while the endpoint is asked.
        var meanwhile: (@Sendable (TokenStage) async -> Void)?
    }

    let script: Mutex<Script>

    init(refreshToken: String = "rt-0") {
        var settings = MailboxSettings(host: "imap.a.example", username: "ada")
        settings.oauth = OAuthClient(tokenEndpoint: "https://id.a.example/token", clientID: "c")
        let mailbox = WatchedMailbox(
            id: Identifier("m"), name: "family", settings: settings, secret: Self.sealed(refreshToken, 0),
            createdAt: Date(timeIntervalSince1970: 1_750_000_000))
        script = Mutex(Script(mailbox: mailbox))
    }

    private static func sealed(_ text: String, _ number: Int) -> SealedSecret {
        SealedSecret(id: Identifier("s\(number)"), purpose: .mailboxPassword, keyID: "k", box: Array(text.utf8))
    }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    /// As if a person had authorized the mailbox elsewhere.
    func authorize(_ token: String) {
        change { script in
            script.sealed += 1
            script.mailbox.secret = Self.sealed(token, script.sealed)
        }
    }

    var stored: String { script.withLock { String(decoding: $0.mailbox.secret.box, as: UTF8.self) } }
    var asked: [String] { script.withLock { $0.asked } }
    var mailbox: WatchedMailbox { script.withLock { $0.mailbox } }

    func ports() throws -> MailboxPorts {
        let room = OpenMailRoom()
        guard let addressing = MailAddressing(mailAddress: "pins@a.example") else { throw StoreError(.refused) }
        let surroundings = Surroundings(
            now: { [self] in script.withLock { $0.now } }, random: OpenMailRoom.surroundings.random)
        return MailboxPorts(
            directory: self, state: Forgetful(), keeper: self, http: self,
            intake: MailIntake(
                sink: room, directory: room, quarantine: room, blobs: room, addressing: addressing,
                surroundings: surroundings),
            blobs: room, surroundings: surroundings, logger: .silent)
    }

    func send(_ request: HTTPRequest, as egress: EgressClass) async throws(HTTPExchangeError) -> HTTPResponse {
        guard case .bytes(let body, _) = request.body else {
            return HTTPResponse(status: 400, head: [], body: [], url: request.url)
        }
        let fields = String(decoding: body, as: UTF8.self).split(separator: "&")
        let token = fields.first { $0.hasPrefix("refresh_token=") }?.dropFirst(14)
        let (answer, meanwhile) = script.withLock { script in
            script.asked.append(String(token ?? ""))
            return (script.answers.count > 1 ? script.answers.removeFirst() : script.answers[0], script.meanwhile)
        }
        await meanwhile?(self)
        return HTTPResponse(status: answer.status, head: [], body: Array(answer.body.utf8), url: request.url)
    }

    func seal(_ secret: Secret, for purpose: SealedSecret.Purpose, of tenant: Tenant.ID) -> SealedSecret {
        script.withLock { script in
            script.sealed += 1
            return Self.sealed(secret.withBytes { String(decoding: $0, as: UTF8.self) }, script.sealed)
        }
    }

    func open(_ sealed: SealedSecret, of tenant: Tenant.ID) -> Secret { Secret(copying: sealed.box) }

    func mailboxes() -> [WatchedMailbox] { [mailbox] }
    func add(_ mailbox: WatchedMailbox) {}

    func update(_ mailbox: WatchedMailbox, insteadOf old: WatchedMailbox?) throws(StoreError) -> Bool {
        guard old == nil || old == self.mailbox else { return false }
        try replaceSecret(of: mailbox.id, with: mailbox.secret)
        return true
    }

    func replaceSecret(of mailbox: WatchedMailbox.ID, with secret: SealedSecret) throws(StoreError) {
        let isDone = script.withLock { script in
            if !script.isDiskFull { script.mailbox.secret = secret }
            return !script.isDiskFull
        }
        guard isDone else { throw StoreError(.diskFull) }
    }

    func remove(_ mailbox: WatchedMailbox.ID) {}
    func health(of mailbox: WatchedMailbox.ID) -> MailboxHealth { MailboxHealth() }
    func quarantine(of mailbox: WatchedMailbox.ID, newest limit: Int) -> [QuarantinedMail] { [] }
    func readAgain(in mailbox: WatchedMailbox.ID, now: Date) -> Int { 0 }
}

/// Nothing is remembered of mailboxes.
private struct Forgetful: MailboxState {
    func position(of mailbox: WatchedMailbox.ID) -> MailboxPosition? { nil }
    func begin(_ position: MailboxPosition, in mailbox: WatchedMailbox.ID) {}
    func record(
        _ verdicts: [MailVerdict], upTo position: MailboxPosition, in mailbox: WatchedMailbox.ID, now: Date
    ) {}
    func failing(in mailbox: WatchedMailbox.ID, dueBy date: Date?, upTo limit: Int) -> [FailingMail] { [] }
    func judged(in mailbox: WatchedMailbox.ID, from uid: UInt32) -> Set<UInt32> { [] }
    func given(in mailbox: WatchedMailbox.ID, newest limit: Int) -> [UInt32] { [] }
    func finished(in mailbox: WatchedMailbox.ID, dueBy date: Date, upTo limit: Int) -> [FinishedMail] { [] }
    func hasUnfinished(in mailbox: WatchedMailbox.ID) -> Bool { false }
    func note(_ progress: AfterwardsProgress, of uids: [UInt32], in mailbox: WatchedMailbox.ID) {}
    func note(_ troubles: [AfterwardsTrouble], in mailbox: WatchedMailbox.ID) {}
    func noteSuccess(of mailbox: WatchedMailbox.ID, now: Date) {}
    func noteFailure(of mailbox: WatchedMailbox.ID, _ reason: String, stop: Bool, now: Date) {}
    func expire(in mailbox: WatchedMailbox.ID, before date: Date, keeping limit: Int) {}
}
