import Administration

extension Command {
    static let tenantCheck = Command(
        "tenant check", "ask Pinry whether everything works, and name the one thing to fix",
        operands: [SharedFlags.optionalSlug],
        notes: "A tenant that was stopped goes on when everything works again."
    ) { arguments, context in
        let report = try await context.perform(CheckTenant(slug: arguments.operand))
        try context.print(report, TenantText.details)
        context.hint(report.hasToken ? "Everything works." : "The server answers; there is no token to try.")
        return .done
    }
}

struct CheckTenant: AdminAction {
    static let name = "tenant.check"
    var slug: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> TenantReport {
        try await desk.administration.check(tenant: slug)
    }
}
