import Administration

extension Command {
    static let hookRemove = Command(
        "hook remove", "remove a webhook; calls to it are refused from then on",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")],
        flags: [AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let removal = try await context.perform(
            RemoveHook(
                tenant: arguments.operands[0], id: arguments.operands[1],
                rehearsal: arguments.has(SharedFlags.dryRun)))
        try context.print(removal, EntranceText.removal("hook"))
        return .done
    }
}

struct RemoveHook: AdminAction {
    static let name = "hook.remove"
    var tenant: String
    var id: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.administration.removeHook(id, of: tenant, rehearsal: rehearsal)
    }
}
