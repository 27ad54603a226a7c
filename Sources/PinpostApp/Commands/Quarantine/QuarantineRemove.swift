import Administration

extension Command {
    static let quarantineRemove = removal(
        of: "mail", "quarantine remove", "throw a mail in quarantine away", operands: [SharedFlags.heldMail]
    ) { RemoveHeldMail(id: $0[0], rehearsal: $1) }
}

struct RemoveHeldMail: AdminAction {
    static let name = "quarantine.remove"
    var id: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> Removal {
        try await desk.quarantine.remove(id, rehearsal: rehearsal)
    }
}
