import Administration
import Mail
import PinpostCore

/// Flags of the verbs that make and change mailboxes.
enum MailboxFlags {
    static let host = Flag("host", "HOST", "the IMAP server")
    static let port = Flag("port", "PORT", "its port (993, or 143 without --encryption tls)", in: 1...65_535)
    static let encryption = Flag<MailboxSettings.Encryption>("encryption", "how the connection is protected (tls)")
    static let user = Flag("user", "NAME", "the user name, often the mail address")
    static let passwordFile = Flag(
        "password-file", "FILE|-", "where the password is, or the OAuth2 refresh token; - is standard input")
    static let folder = Flag("folder", "NAME", "the folder that is watched (INBOX)")
    static let recipientHeader = Flag(
        "recipient-header", "FIELD",
        "a header field with the recipient, as your server stamps it, or To and Cc; repeatable")
    static let after = Flag(
        "after", "leave|mark|delete|move:FOLDER", "what happens to a mail once its pins are made (leave)",
        expected: "leave, mark, delete or move:FOLDER"
    ) { MailboxSettings.Afterwards($0) }
    static let failures = Flag("failures", "FOLDER", "where mails go that could not be pinned")
    static let newOnly = Switch("new-only", "what is in the folder now is left alone")
    static let trusted = Flag(
        "trust-authserv", "ID|none", "whose Authentication-Results count, exact or .suffix; repeatable")
    static let caFile = Flag("ca-file", "FILE", "certificates to trust for this server, in PEM form")
    static let pin = Flag("pin", "sha256//DIGEST", "the server's public key, trusted whoever signed it")
    static let proxy = Flag("proxy", "URL", "http://HOST:PORT or socks5h://HOST:PORT")
    static let provider = Flag<OAuthProvider>("provider", "OAuth2: whose endpoints and scope")
    static let authorizeEndpoint = Flag(
        "oauth-authorize-endpoint", "URL", "OAuth2: where a person agrees, for other providers")
    static let deviceEndpoint = Flag(
        "oauth-device-endpoint", "URL", "OAuth2: where a device gets its code, for other providers")
    static let device = Switch("device", "show a code for another machine")
    static let tokenEndpoint = Flag("oauth-endpoint", "URL", "OAuth2: where access tokens are got")
    static let clientID = Flag("oauth-client", "ID", "OAuth2: the client's id")
    static let scope = Flag("oauth-scope", "SCOPE", "OAuth2: the scope, where the provider wants one")
    static let clientSecretFile = Flag("oauth-secret-file", "FILE|-", "OAuth2: where the client's secret is")
    static let again = Switch("again", "read the mails once more that were left alone or could not be read")
    static let untested = Switch("untested", "store it without trying it out")

    static let name = Command.Operand("NAME", "the mailbox's name")
    static let all = [
        AnyFlag(host), AnyFlag(port), AnyFlag(encryption), AnyFlag(user), AnyFlag(passwordFile), AnyFlag(folder),
        AnyFlag(recipientHeader, repeatable: true), AnyFlag(after), AnyFlag(failures), AnyFlag(newOnly),
        AnyFlag(trusted, repeatable: true), AnyFlag(caFile), AnyFlag(pin), AnyFlag(proxy), AnyFlag(provider),
        AnyFlag(tokenEndpoint), AnyFlag(authorizeEndpoint), AnyFlag(deviceEndpoint),
        AnyFlag(clientID), AnyFlag(scope), AnyFlag(clientSecretFile), AnyFlag(untested),
    ]
}

extension MailboxSettings {
    /// Takes over what the command line says.
    mutating func apply(_ arguments: Arguments, _ context: CommandContext) throws {
        let flags = MailboxFlags.self
        if let value = try arguments.value(flags.host) { host = value }
        if let value = try arguments.value(flags.encryption) {
            encryption = value
            port = value.standardPort
        }
        if let value = try arguments.value(flags.port) { port = value }
        if let value = try arguments.value(flags.user) { username = value }
        if let value = try arguments.value(flags.folder) { folder = value }
        let headers = try arguments.all(flags.recipientHeader)
        if !headers.isEmpty { recipientHeaders = headers }
        if let value = try arguments.value(flags.after) { afterwards = value }
        if let value = try arguments.value(flags.failures) { failureFolder = value }
        if arguments.has(flags.newOnly) { newOnly = true }
        let trusted = try arguments.all(flags.trusted)
        if !trusted.isEmpty { trustedAuthServers = trusted == ["none"] ? [] : trusted }
        if let path = try arguments.value(flags.caFile) { caPEM = try context.text(of: path, flag: "--ca-file") }
        if let value = try arguments.value(flags.pin) { pin = value }
        if let value = try arguments.value(flags.proxy) { proxy = value }
        try applyOAuth(arguments)
    }

    private mutating func applyOAuth(_ arguments: Arguments) throws {
        let flags = MailboxFlags.self
        let id = try arguments.value(flags.clientID) ?? oauth?.clientID
        let known = try arguments.value(flags.provider)?.client(id: id ?? "") ?? oauth
        let endpoint = try arguments.value(flags.tokenEndpoint) ?? known?.tokenEndpoint
        guard endpoint != nil || id != nil else { return }
        guard let endpoint, let id else {
            throw UsageError("OAuth2 needs --oauth-client, and --provider or --oauth-endpoint.")
        }
        oauth = OAuthClient(
            tokenEndpoint: endpoint, clientID: id, scope: try arguments.value(flags.scope) ?? known?.scope,
            authorizationEndpoint: try arguments.value(flags.authorizeEndpoint) ?? known?.authorizationEndpoint,
            deviceEndpoint: try arguments.value(flags.deviceEndpoint) ?? known?.deviceEndpoint)
    }
}

extension CommandContext {
    /// A password in a file, or on standard input for `-`: piped, or typed without echo; nil where no flag names one.
    func password(_ flag: Flag<String>, _ arguments: Arguments, prompt: String? = nil) throws -> WireSecret? {
        guard let path = try arguments.value(flag) else {
            guard let prompt, console.isInteractive else { return nil }
            return try entered(prompt)
        }
        if path == "-", console.isInteractive { return try entered("\(flag.name): ") }
        var bytes = Array(try text(of: path, flag: "--\(flag.name)").utf8)
        while let last = bytes.last, last == 10 || last == 13 { bytes.removeLast() }
        guard !bytes.isEmpty else { throw UsageError("--\(flag.name): it is empty.") }
        return WireSecret(Secret(taking: &bytes))
    }

    private func entered(_ prompt: String) throws -> WireSecret {
        guard let secret = console.askSecret(prompt), secret.count > 0 else {
            throw UsageError("No password was entered.")
        }
        return WireSecret(secret)
    }
}
