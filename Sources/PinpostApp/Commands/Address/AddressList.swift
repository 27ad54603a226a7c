import Administration

extension Command {
    static let addressList = Command(
        "address list", "list a tenant's mail addresses, without their secret part",
        operands: [SharedFlags.optionalSlug]
    ) { arguments, context in
        let addresses = try await context.perform(ListAddresses(tenant: arguments.operand))
        try context.print(addresses, AddressText.list)
        return .done
    }
}

struct ListAddresses: AdminAction {
    static let name = "address.list"
    var tenant: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [AddressReport] {
        try await desk.administration.addresses(of: tenant)
    }
}
