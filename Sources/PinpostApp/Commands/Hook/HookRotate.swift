import Administration
import FoundationEssentials
import Hooks
import PinpostCore

extension Command {
    static let hookRotate = Command(
        "hook rotate", "give a webhook a new token; the one before lives on for a while",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")],
        flags: [
            AnyFlag(HookFlags.atOnce), AnyFlag(HookFlags.keep), AnyFlag(HookFlags.tokenExpires),
            AnyFlag(HookFlags.tokenScope, repeatable: true),
        ],
        notes: """
            Without --keep and --at-once the token before stays good until the next rotation.
            A secret that Pinpost made for the provider (telegram) is replaced and told to it as well.
            """
    ) { arguments, context in
        var action = RotateHook(tenant: arguments.operands[0], id: arguments.operands[1])
        guard !arguments.has(HookFlags.atOnce) || arguments.values[HookFlags.keep.name] == nil else {
            throw UsageError("--at-once and --keep exclude each other.")
        }
        action.keep = arguments.has(HookFlags.atOnce) ? 0 : try arguments.value(HookFlags.keep)
        action.expires = try arguments.value(HookFlags.tokenExpires)?.comingDate(from: .now)
        let scopes = try arguments.all(HookFlags.tokenScope)
        action.scopes = scopes.isEmpty ? nil : Set(scopes)
        let secret = try await context.perform(action)
        try context.print(secret) { TextTable([["id", $0.id], ["url", $0.url], ["token", $0.token]]).text }
        return .done
    }
}

extension HookFlags {
    static let atOnce = Switch("at-once", "the earlier tokens are refused from now on")
    static let keep = Flag(
        "keep", "WHILE", "how long the token before lives on; 0d: not at all", expected: "a while such as 12h or 30d"
    ) { text -> Double? in
        guard case .after(let seconds) = Expiry(text) else { return nil }
        return seconds
    }
    static let tokenExpires = Flag(
        "expires", "WHEN", "when the new token stops: \(Expiry.forms)", expected: Expiry.forms
    ) { Expiry($0) }
    static let tokenScope = Flag<HookScope>(
        "scope", "what the new token opens, within what the hook allows; both without it; repeatable")
}

struct RotateHook: AdminAction {
    static let name = "hook.rotate"
    var tenant: String
    var id: String
    /// In seconds; nil: until the next rotation.
    var keep: Double?
    var expires: Date?
    var scopes: Set<HookScope>?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookSecret {
        let hook = try await desk.administration.hook(id, ofTenant: tenant)
        let makesSecret = ProviderDesk.needs(of: hook.provider)?.secret == .made
        let rotated = try await desk.administration.rotateHook(
            id, of: tenant, keep: keep, limits: TokenLimits(expiresAt: expires, scopes: scopes),
            makesSecret: makesSecret)
        if makesSecret { try await HookRegistration(desk: desk).tell(rotated.hook, rotated.secret) }
        return rotated.secret
    }
}
