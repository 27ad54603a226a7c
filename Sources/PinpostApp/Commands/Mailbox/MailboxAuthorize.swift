import Administration
import Cryptography
import FoundationEssentials
import Mail
import PinpostCore

extension Command {
    static let mailboxAuthorize = Command(
        "mailbox authorize", "let a person allow Pinpost to read a mailbox (OAuth2)",
        operands: [MailboxFlags.name], flags: [AnyFlag(MailboxFlags.device)],
        notes: """
            Add the mailbox with --provider google or microsoft and --oauth-client first, without a password. Then open
            the address that this prints; when the browser ends on a page of 127.0.0.1 that does not load, because it
            runs on another machine, paste that page's address here. --device shows a code for another machine instead,
            where the provider allows that for mail (Microsoft does, Google does not). The refresh token is stored
            sealed and never shown.
            """
    ) { arguments, context in
        let name = arguments.operands[0]
        if arguments.has(MailboxFlags.device) {
            try await authorizeDevice(name, context)
        } else {
            try await authorizeBrowser(name, context)
        }
        let shown = try await context.perform(ShowMailbox(mailbox: name, limit: 0))
        try context.print(shown.settings) { _ in "Pinpost may read the mailbox \(name) now.\n" }
        return .done
    }

    /// How long a person has in the browser, in seconds.
    private static let patience = 900

    private static func authorizeBrowser(_ name: String, _ context: CommandContext) async throws {
        let settings = try await context.perform(MailboxSettingsOf(mailbox: name))
        guard let client = settings.oauth else { throw UsageError("The mailbox \(name) logs in with a password.") }
        let browser = try BrowserAnswer()
        var random = SystemRandom()
        guard
            let request = CodeRequest(
                client, redirect: "http://127.0.0.1:\(browser.port)/", hint: settings.username, using: &random)
        else { throw UsageError("--oauth-authorize-endpoint is missing; see `pinpost mailbox set --help`.") }
        context.console.writeError("Open this in a browser and agree:\n\n\(request.url)\n\n")
        let answer = await context.pool.run { [console = context.console] in
            browser.wait(console: console, seconds: patience)
        }
        guard let answer else {
            throw Failure("timed_out", "Nobody agreed in time; begin again.", exit: .refused)
        }
        let code = try request.code(in: answer)
        _ = try await context.perform(
            RedeemCode(
                mailbox: name, code: WireSecret(code), verifier: WireSecret(request.verifier),
                redirect: request.redirect))
    }

    private static func authorizeDevice(_ name: String, _ context: CommandContext) async throws {
        let begun = try await context.perform(BeginDevice(mailbox: name))
        let page = TextTable.printable(begun.page)
        context.console.writeError(
            "Open \(page) on any machine and type \(TextTable.printable(begun.userCode)) there.\n")
        let device = begun.code
        try await device.wait(sleep: { try await Task.sleep(for: .seconds($0)) }) {
            try await context.perform(RedeemDevice(mailbox: name, device: WireSecret(device.secret)))
        }
    }
}

struct RedeemCode: AdminAction {
    static let name = "mailbox.redeem_code"
    var mailbox: String
    var code: WireSecret
    var verifier: WireSecret
    var redirect: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Bool {
        let found = try await desk.mailboxes.administration.mailbox(named: mailbox)
        try await desk.mailboxes.authorization(of: found).redeem(
            code: code.secret, verifier: verifier.secret, redirect: redirect)
        return true
    }
}

struct BeginDevice: AdminAction {
    static let name = "mailbox.begin_device"
    var mailbox: String

    struct Begun: Codable, Sendable {
        var userCode: String
        var page: String
        var device: WireSecret
        var interval: TimeInterval
        var lifetime: TimeInterval

        var code: DeviceCode {
            DeviceCode(
                userCode: userCode, page: page, secret: device.secret, interval: interval, lifetime: lifetime)
        }
    }

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Begun {
        let found = try await desk.mailboxes.administration.mailbox(named: mailbox)
        let code = try await desk.mailboxes.authorization(of: found).beginDevice()
        return Begun(
            userCode: code.userCode, page: code.page, device: WireSecret(code.secret), interval: code.interval,
            lifetime: code.lifetime)
    }
}

struct RedeemDevice: AdminAction {
    static let name = "mailbox.redeem_device"
    var mailbox: String
    var device: WireSecret

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> DeviceCode.Verdict {
        let found = try await desk.mailboxes.administration.mailbox(named: mailbox)
        return try await desk.mailboxes.authorization(of: found).redeem(device: device.secret)
    }
}
