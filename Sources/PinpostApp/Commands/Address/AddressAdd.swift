import Administration

extension Command {
    static let addressAdd = Command(
        "address add", "make a secret mail address for a tenant",
        operands: [SharedFlags.optionalSlug], flags: EntranceRequest.flags + AddressFlags.rules,
        notes: AddressFlags.notes
    ) { arguments, context in
        let action = AddAddress(request: try EntranceRequest(arguments), rules: try AddressRules(arguments))
        let report = try await context.perform(action)
        try context.print(report) { "\($0.address ?? "")\n" }
        context.hint("Mail to this address becomes pins. Its id is \(report.id).")
        context.warn(about: report)
        return .done
    }
}

struct AddAddress: AdminAction {
    static let name = "address.add"
    var request: EntranceRequest
    var rules: AddressRules

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressReport {
        try await desk.advised(try await desk.administration.addAddress(request.entrance, rules))
    }
}
