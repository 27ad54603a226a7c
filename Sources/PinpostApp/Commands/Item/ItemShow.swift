import Administration

extension Command {
    static let itemShow = Command(
        "item show", "show one item", operands: [Operand("ID", "the item's id")]
    ) { arguments, context in
        try context.print(try await context.perform(ShowItem(id: arguments.operands[0])), ItemText.details)
        return .done
    }
}

struct ShowItem: AdminAction {
    static let name = "item.show"
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ItemReport {
        try await desk.administration.item(id)
    }
}
