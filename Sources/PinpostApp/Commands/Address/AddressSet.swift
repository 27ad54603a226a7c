import Administration

extension Command {
    private static let noBoard = Switch("no-board", "no board of its own any more")
    private static let noTags = Switch("no-tags", "no tags any more")
    private static let isPublic = Switch("public", "pins are not made private any more")

    static let addressSet = Command(
        "address set", "change what an address does; what is left out stays",
        operands: [SharedFlags.slug, AddressFlags.id],
        flags: EntranceRequest.flags + [AnyFlag(noBoard), AnyFlag(noTags), AnyFlag(isPublic)] + AddressFlags.rules,
        notes: AddressFlags.notes
    ) { arguments, context in
        try arguments.requireChange(by: "address set")
        let report = try await context.perform(
            SetAddress(tenant: arguments.operands[0], id: arguments.operands[1], changes: try changes(arguments)))
        try context.print(report, AddressText.details)
        context.warn(about: report)
        return .done
    }

    private static func changes(_ arguments: Arguments) throws(UsageError) -> AddressChanges {
        var changes = AddressChanges()
        if let board = try arguments.value(SharedFlags.board) {
            guard !arguments.has(noBoard) else { throw UsageError("--board and --no-board exclude each other.") }
            changes.board = .set(board)
        } else if arguments.has(noBoard) {
            changes.board = .remove
        }
        let tags = try arguments.all(SharedFlags.tag)
        guard tags.isEmpty || !arguments.has(noTags) else {
            throw UsageError("--tag and --no-tags exclude each other.")
        }
        if !tags.isEmpty || arguments.has(noTags) { changes.tags = tags }
        guard !arguments.has(SharedFlags.isPrivate) || !arguments.has(isPublic) else {
            throw UsageError("--private and --public exclude each other.")
        }
        if arguments.has(SharedFlags.isPrivate) { changes.isPrivate = true }
        if arguments.has(isPublic) { changes.isPrivate = false }
        changes.label = try arguments.value(SharedFlags.label)
        changes.rules = try AddressRules(arguments)
        return changes
    }
}

struct SetAddress: AdminAction {
    static let name = "address.set"
    var tenant: String
    var id: String
    var changes: AddressChanges

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressReport {
        try await desk.advised(try await desk.administration.setAddress(id, of: tenant, changes))
    }
}
