import Administration

extension Command {
    static let addressShow = Command(
        "address show", "show a mail address again",
        operands: [SharedFlags.slug, Operand("ID", "the address's id from `address list`")]
    ) { arguments, context in
        let secret = try await context.perform(
            ShowAddress(tenant: arguments.operands[0], id: arguments.operands[1]))
        try context.print(secret) { "\($0.address)\n" }
        return .done
    }
}

struct ShowAddress: AdminAction {
    static let name = "address.show"
    var tenant: String
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressSecret {
        try await desk.administration.showAddress(id, of: tenant)
    }
}
