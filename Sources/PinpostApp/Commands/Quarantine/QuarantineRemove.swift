import Administration

extension Command {
    static let quarantineRemove = Command(
        "quarantine remove", "throw a mail in quarantine away",
        operands: [SharedFlags.heldMail], flags: [AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let removal = try await context.perform(
            RemoveHeldMail(id: arguments.operands[0], rehearsal: arguments.has(SharedFlags.dryRun)))
        try context.print(removal, EntranceText.removal("mail"))
        return .done
    }
}

struct RemoveHeldMail: AdminAction {
    static let name = "quarantine.remove"
    var id: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.quarantine.remove(id, rehearsal: rehearsal)
    }
}
