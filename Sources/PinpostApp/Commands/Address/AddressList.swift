import Administration

extension Command {
    static let addressList = Command(
        "address list", "list a tenant's mail addresses, without their secret part",
        operands: [SharedFlags.optionalSlug]
    ) { arguments, context in
        let addresses = try await context.perform(ListAddresses(tenant: arguments.operand))
        try context.print(addresses) {
            EntranceText.list($0, none: "There is no address yet; make one with `pinpost address add`.")
        }
        return .done
    }
}

struct ListAddresses: AdminAction {
    static let name = "address.list"
    var tenant: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [EntranceReport] {
        try await desk.administration.addresses(of: tenant)
    }
}
