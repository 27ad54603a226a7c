import Administration
import Mail
import PinpostCore

extension Command {
    static let mailboxAdd = Command(
        "mailbox add", "watch an IMAP mailbox; it is tried out first",
        operands: [MailboxFlags.name], flags: MailboxFlags.all,
        notes: """
            Mail in it reaches tenants through their addresses, which are looked for in the header fields that
            --recipient-header names: Delivered-To, X-Original-To, Envelope-To and X-Delivered-To unless you say
            otherwise. `pinpost mailbox probe` shows what your server stamps. Other mail stays as it is.
            On a terminal the password is asked for when --password-file is left out.
            """
    ) { arguments, context in
        var settings = MailboxSettings(
            host: try arguments.required(MailboxFlags.host), username: try arguments.required(MailboxFlags.user))
        try settings.apply(arguments, context)
        // An OAuth2 mailbox gets its token by `mailbox authorize`; until then the empty one is refused.
        let none = settings.oauth.map { _ in WireSecret(Secret(copying: [])) }
        let prompt = none == nil ? "Password: " : nil
        guard let secret = try context.password(MailboxFlags.passwordFile, arguments, prompt: prompt) ?? none else {
            throw UsageError("--password-file FILE|- is missing: \(MailboxFlags.passwordFile.help).")
        }
        let action = AddMailbox(
            mailbox: arguments.operands[0], settings: settings, secret: secret,
            clientSecret: try context.password(MailboxFlags.clientSecretFile, arguments),
            isTested: !arguments.has(MailboxFlags.untested))
        let report = try await context.perform(action)
        try context.print(report) { MailboxText.details($0) }
        if settings.oauth != nil, secret.secret.count == 0 {
            context.hint("Next: pinpost mailbox authorize \(report.mailbox)")
        }
        return .done
    }
}

struct AddMailbox: AdminAction {
    static let name = "mailbox.add"
    var mailbox: String
    var settings: MailboxSettings
    var secret: WireSecret
    var clientSecret: WireSecret?
    var isTested: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MailboxReport {
        let administration = desk.mailboxes.administration
        let made = try await administration.make(
            mailbox, settings, secret: secret.secret, clientSecret: clientSecret?.secret)
        if isTested, settings.oauth == nil { _ = try await desk.mailboxes.trial.test(made) }
        try await administration.add(made)
        return try await administration.report(of: made)
    }
}
