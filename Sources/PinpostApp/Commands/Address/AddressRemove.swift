import Administration

extension Command {
    static let addressRemove = Command(
        "address remove", "remove a mail address; mail to it is refused from then on",
        operands: [SharedFlags.slug, Operand("ID", "the address's id from `address list`")],
        flags: [AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let removal = try await context.perform(
            RemoveAddress(
                tenant: arguments.operands[0], id: arguments.operands[1],
                rehearsal: arguments.has(SharedFlags.dryRun)))
        try context.print(removal, EntranceText.removal("address"))
        return .done
    }
}

struct RemoveAddress: AdminAction {
    static let name = "address.remove"
    var tenant: String
    var id: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.administration.removeAddress(id, of: tenant, rehearsal: rehearsal)
    }
}
