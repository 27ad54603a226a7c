import Administration
import Mail
import PinpostCore

extension Command {
    static let mailboxSet = Command(
        "mailbox set", "change a mailbox, or let a stopped one go on",
        operands: [MailboxFlags.name], flags: MailboxFlags.all,
        notes: """
            OAuth2, where a provider has switched passwords off: give --provider (google, microsoft) and --oauth-client,
            then run `pinpost mailbox authorize NAME`. Other providers: --oauth-endpoint, --oauth-authorize-endpoint and
            --oauth-scope; a refresh token that you have already goes into --password-file.
            """
    ) { arguments, context in
        let name = arguments.operands[0]
        let former = try await context.perform(MailboxSettingsOf(mailbox: name))
        var settings = former
        try settings.apply(arguments, context)
        let action = SetMailbox(
            mailbox: name, former: former, settings: settings,
            secret: try context.password(MailboxFlags.passwordFile, arguments),
            clientSecret: try context.password(MailboxFlags.clientSecretFile, arguments),
            isTested: !arguments.has(MailboxFlags.untested))
        let report = try await context.perform(action)
        try context.print(report) { MailboxText.details($0) }
        return .done
    }
}

/// What `mailbox set` starts from.
struct MailboxSettingsOf: AdminAction {
    static let name = "mailbox.settings"
    var mailbox: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxSettings {
        try await desk.mailboxes.administration.mailbox(named: mailbox).settings
    }
}

struct SetMailbox: AdminAction {
    static let name = "mailbox.set"
    var mailbox: String
    /// What `settings` was made from: only what differs is changed.
    var former: MailboxSettings
    var settings: MailboxSettings
    var secret: WireSecret?
    var clientSecret: WireSecret?
    var isTested: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxReport {
        let administration = desk.mailboxes.administration
        let change = MailboxChange(
            from: former, to: settings, secret: secret?.secret, clientSecret: clientSecret?.secret)
        let wanted = try await administration.changed(mailbox, by: change)
        // A trial may use up a refresh token, which only the watcher can store.
        if isTested, wanted.settings.oauth == nil { _ = try await desk.mailboxes.trial.test(wanted) }
        return try await administration.report(of: try await administration.change(mailbox, by: change))
    }
}
