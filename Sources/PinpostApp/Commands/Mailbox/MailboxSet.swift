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
        var settings = try await context.perform(MailboxSettingsOf(mailbox: name))
        try settings.apply(arguments, context)
        let action = SetMailbox(
            mailbox: name, settings: settings, secret: try context.password(MailboxFlags.passwordFile, arguments),
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
    var settings: MailboxSettings
    var secret: WireSecret?
    var clientSecret: WireSecret?
    var isTested: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxReport {
        let administration = desk.mailboxes.administration
        let changed = try await administration.changed(
            try await administration.mailbox(named: mailbox), to: settings, secret: secret?.secret,
            clientSecret: clientSecret?.secret)
        // A trial may use up a refresh token, which only the watcher can store.
        if isTested, settings.oauth == nil { _ = try await desk.mailboxes.trial.test(changed) }
        try await administration.update(changed)
        return try await administration.report(of: changed)
    }
}
