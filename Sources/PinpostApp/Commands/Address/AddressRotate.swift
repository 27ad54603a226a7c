import Administration

extension Command {
    static let addressRotate = Command(
        "address rotate", "give an address a new secret part; the old one lives on for a while",
        operands: [SharedFlags.slug, AddressFlags.id], flags: [AnyFlag(AddressFlags.keep)]
    ) { arguments, context in
        let report = try await context.perform(
            RotateAddress(
                tenant: arguments.operands[0], id: arguments.operands[1],
                keep: try arguments.value(AddressFlags.keep) ?? TenantAdministration.standardKeep))
        try context.print(report) { "\($0.address ?? "")\n" }
        context.hint(
            report.formerUntil.map { "The old address lives until \($0.forPeople) UTC." } ?? "The old address is dead.")
        context.warn(about: report)
        return .done
    }
}

struct RotateAddress: AdminAction {
    static let name = "address.rotate"
    var tenant: String
    var id: String
    /// In seconds.
    var keep: Double

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressReport {
        try await desk.administration.rotateAddress(id, of: tenant, keep: keep)
    }
}
