import Administration

extension Command {
    private static let confirm = Flag("confirm", "SLUG", "the tenant's name again, instead of being asked")

    static let tenantRemove = Command(
        "tenant remove", "remove a tenant with everything that is theirs; pins in Pinry stay",
        operands: [SharedFlags.slug], flags: [AnyFlag(confirm), AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let slug = arguments.operands[0]
        let removal = try await context.withAdministration { administration in
            let rehearsal = try await administration.perform(RemoveTenant(slug: slug, rehearsal: true))
            if arguments.has(SharedFlags.dryRun) { return rehearsal }
            context.hint("This removes \(describe(rehearsal)).")
            let typed = try arguments.value(confirm) ?? context.askToConfirm(slug)
            guard typed == slug else {
                throw UsageError("Nothing was removed: confirm with --confirm \(slug), or type the name when asked.")
            }
            return try await administration.perform(RemoveTenant(slug: slug, rehearsal: false))
        }
        try context.print(removal) { "\($0.rehearsal ? "Would remove" : "Removed") \(describe($0)).\n" }
        return .done
    }

    private static func describe(_ removal: TenantRemoval) -> String {
        "tenant \(removal.tenant); addresses: \(removal.addresses), hooks: \(removal.hooks), "
            + "items that are not pinned yet: \(removal.openItems)"
    }
}

extension CommandContext {
    /// nil when nobody is there to ask.
    fileprivate func askToConfirm(_ slug: String) -> String? {
        console.isInteractive ? console.ask("Type \(slug) to go on: ") : nil
    }
}

struct RemoveTenant: AdminAction {
    static let name = "tenant.remove"
    var slug: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> TenantRemoval {
        try await desk.administration.remove(tenant: slug, rehearsal: rehearsal)
    }
}
