import Administration

extension Command {
    static let tenantShow = Command(
        "tenant show", "show one tenant", operands: [SharedFlags.optionalSlug]
    ) { arguments, context in
        try context.print(try await context.perform(ShowTenant(slug: arguments.operand)), TenantText.details)
        return .done
    }
}

struct ShowTenant: AdminAction {
    static let name = "tenant.show"
    var slug: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> TenantReport {
        try await desk.administration.show(tenant: slug)
    }
}
