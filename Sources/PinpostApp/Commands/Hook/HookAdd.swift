import Administration
import Hooks
import PinpostCore

extension Command {
    static let hookAdd = Command(
        "hook add", "make a webhook for a tenant",
        operands: [
            SharedFlags.optionalSlug,
            Operand("PROVIDER", "the same as --provider", count: .optional),
        ],
        flags: EntranceRequest.flags + [AnyFlag(HookFlags.provider)] + HookFlags.ofAny
            + HookFlags.ofProvider,
        notes: """
            The token is shown this once; a lost one is replaced with `hook rotate`.
            Where the provider can be told about the hook (telegram, discord) that is done at once: PINPOST_PUBLIC_URL
            has to be the address under which the provider reaches Pinpost.
            Providers: \(HookFlags.names.joined(separator: ", ")).
            """
    ) { arguments, context in
        let action = try AddHook(arguments, context)
        let secret = try await context.perform(action)
        try context.print(secret) { TextTable([["id", $0.id], ["url", $0.url], ["token", $0.token]]).text }
        context.hint(Self.next(secret, action))
        return .done
    }

    private static func next(_ secret: HookSecret, _ action: AddHook) -> String {
        guard action.provider != Hook.generic else {
            return """
                The token is not shown again. With it in a file `auth` as "Authorization: Bearer TOKEN", try:
                curl -H @auth -d url=https://example.org/ \(secret.url)
                """
        }
        let allow =
            action.provider == "telegram" && action.settings.allowed.isEmpty
            ? "\nNobody may pin yet: write to the bot, which tells the chat's number, then `pinpost hook set … --allow N`."
            : ""
        let commands =
            action.provider == "discord" && action.settings.options["application"] == nil
            ? "\nIf /pin does not appear there: `pinpost hook set … --option application=ID`, the application's id."
            : ""
        return "Give \(action.provider) the URL, or URL/TOKEN where it cannot sign its requests.\(allow)\(commands)"
    }
}

struct AddHook: AdminAction {
    static let name = "hook.add"
    var request: EntranceRequest
    var provider: String
    var settings = HookSettings()
    var secret: WireSecret?
    var token: WireSecret?

    init(_ arguments: Arguments, _ context: CommandContext) throws {
        request = try EntranceRequest(arguments)
        provider = try arguments.value(HookFlags.provider) ?? Hook.generic
        var operands = arguments.operands
        if provider == Hook.generic, let last = operands.last, HookFlags.names.contains(last) {
            provider = last
            operands.removeLast()
            request.tenant = operands.first
        } else if operands.count > 1 {
            throw UsageError(
                "\"\(operands[1])\" is not a provider; use one of \(HookFlags.names.joined(separator: ", ")).")
        }
        try settings.apply(arguments, context)
        let needs = ProviderDesk.needs(of: provider)
        let asks = (secret: needs?.secret == .given, token: needs?.needsToken == true)
        token = try context.password(HookFlags.tokenFile, arguments, prompt: asks.token ? "API token: " : nil)
        secret = try context.password(HookFlags.secretFile, arguments, prompt: asks.secret ? "Signing secret: " : nil)
        try check(needs)
    }

    private func check(_ needs: ProviderNeeds?) throws(UsageError) {
        guard let needs else { return }
        if needs.secret == .given, secret == nil {
            throw UsageError("--secret-file FILE|- is missing: \(HookFlags.secretFile.help).")
        }
        if needs.needsToken, token == nil {
            throw UsageError("--token-file FILE|- is missing: \(HookFlags.tokenFile.help).")
        }
        if needs.needsAPIBase, settings.apiBase == nil {
            throw UsageError("--api-base URL is missing: every \(provider) has its own.")
        }
        guard !needs.allowStandsForOptions || settings.allowed.isEmpty else { return }
        if let missing = needs.options.first(where: { settings.options[$0] == nil }) {
            throw UsageError("--option \(missing)=VALUE is missing.")
        }
    }

    /// A hook that the provider does not take is not kept.
    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookSecret {
        let needs = ProviderDesk.needs(of: provider)
        let made = try await desk.administration.addHook(
            NewHook(
                request.entrance, provider: provider, settings: settings, secret: secret?.secret, token: token?.secret,
                makesSecret: needs?.secret == .made && secret == nil))
        do {
            try await HookRegistration(desk: desk).tell(made.hook, made.secret)
        } catch {
            _ = try? await desk.administration.removeHook(made.secret.id, of: request.tenant, rehearsal: false)
            throw error
        }
        return made.secret
    }
}

/// Tells a provider where its requests go.
struct HookRegistration {
    let desk: AdminDesk

    func tell(_ hook: Hook, _ secret: HookSecret) async throws {
        guard hook.provider != Hook.generic else { return }
        try desk.providers.check(hook)
        let needsToken = ProviderDesk.needsToken(hook.provider)
        _ = try await desk.providers.register(hook, at: needsToken ? "\(secret.url)/\(secret.token)" : secret.url)
    }
}
