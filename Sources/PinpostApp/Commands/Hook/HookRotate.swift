import Administration
import Hooks
import PinpostCore

extension Command {
    static let hookRotate = Command(
        "hook rotate", "give a webhook a new token; the one before stays good until the next rotation",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")],
        flags: [AnyFlag(HookFlags.atOnce)],
        notes: "A secret that Pinpost made for the provider (telegram) is replaced and told to it as well."
    ) { arguments, context in
        let secret = try await context.perform(
            RotateHook(
                tenant: arguments.operands[0], id: arguments.operands[1], atOnce: arguments.has(HookFlags.atOnce)))
        try context.print(secret) { TextTable([["id", $0.id], ["url", $0.url], ["token", $0.token]]).text }
        return .done
    }
}

extension HookFlags {
    static let atOnce = Switch("at-once", "the earlier tokens are refused from now on")
}

struct RotateHook: AdminAction {
    static let name = "hook.rotate"
    var tenant: String
    var id: String
    var atOnce: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookSecret {
        let hook = try await desk.administration.hook(id, ofTenant: tenant)
        let makesSecret = ProviderDesk.needs(of: hook.provider)?.secret == .made
        let rotated = try await desk.administration.rotateHook(
            id, of: tenant, atOnce: atOnce, makesSecret: makesSecret)
        if makesSecret { try await HookRegistration(desk: desk).tell(rotated.hook, rotated.secret) }
        return rotated.secret
    }
}
