import Administration

extension Command {
    static let itemCancel = Command(
        "item cancel", "give an item up for good", operands: [Operand("ID", "the item's id")],
        flags: [AnyFlag(SharedFlags.dryRun)]
    ) { arguments, context in
        let item = try await context.perform(
            CancelItem(id: arguments.operands[0], rehearsal: arguments.has(SharedFlags.dryRun)))
        try context.print(item, ItemText.details)
        if let pin = item.pin { context.hint("Its pin stays in Pinry: \(pin.url)") }
        if arguments.has(SharedFlags.dryRun) { context.hint("It can be cancelled; nothing was done.") }
        return .done
    }
}

struct CancelItem: AdminAction {
    static let name = "item.cancel"
    var id: String
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ItemReport {
        try await desk.administration.cancel(item: id, rehearsal: rehearsal)
    }
}
