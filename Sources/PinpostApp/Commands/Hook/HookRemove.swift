import Administration

extension Command {
    static let hookRemove = removal(
        of: "hook", "hook remove", "remove a webhook; calls to it are refused from then on",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")]
    ) { RemoveHook(tenant: $0[0], id: $0[1], rehearsal: $1) }
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
