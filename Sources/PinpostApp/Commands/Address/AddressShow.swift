import Administration

extension Command {
    static let addressShow = Command(
        "address show", "show a mail address again, and what it does",
        operands: [SharedFlags.slug, AddressFlags.id]
    ) { arguments, context in
        let report = try await context.perform(
            ShowAddress(tenant: arguments.operands[0], id: arguments.operands[1]))
        try context.print(report, AddressText.details)
        context.warn(about: report)
        return .done
    }
}

struct ShowAddress: AdminAction {
    static let name = "address.show"
    var tenant: String
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressReport {
        try await desk.administration.showAddress(id, of: tenant)
    }
}
