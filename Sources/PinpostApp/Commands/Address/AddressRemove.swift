import Administration

extension Command {
    static let addressRemove = removal(
        of: "address", "address remove", "remove a mail address; mail to it is refused from then on",
        operands: [SharedFlags.slug, Operand("ID", "the address's id from `address list`")]
    ) { RemoveAddress(tenant: $0[0], id: $0[1], rehearsal: $1) }
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
