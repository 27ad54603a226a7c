import Administration

extension Command {
    static let tenantList = Command("tenant list", "list the tenants") { _, context in
        try context.print(try await context.perform(ListTenants()), TenantText.list)
        return .done
    }
}

struct ListTenants: AdminAction {
    static let name = "tenant.list"

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [TenantReport] {
        try await desk.administration.tenants()
    }
}
