import Administration

extension Command {
    static let hookList = Command(
        "hook list", "list a tenant's webhooks", operands: [SharedFlags.optionalSlug]
    ) { arguments, context in
        let hooks = try await context.perform(ListHooks(tenant: arguments.operand))
        try context.print(hooks) {
            EntranceText.list($0, none: "There is no hook yet; make one with `pinpost hook add`.")
        }
        return .done
    }
}

struct ListHooks: AdminAction {
    static let name = "hook.list"
    var tenant: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [EntranceReport] {
        try await desk.administration.hooks(of: tenant)
    }
}
