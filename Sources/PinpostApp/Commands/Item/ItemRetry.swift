import Administration

extension Command {
    static let itemRetry = Command(
        "item retry", "let a parked item go on from where it stopped", operands: [Operand("ID", "the item's id")]
    ) { arguments, context in
        try context.print(try await context.perform(RetryItem(id: arguments.operands[0])), ItemText.details)
        return .done
    }
}

struct RetryItem: AdminAction {
    static let name = "item.retry"
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ItemReport {
        try await desk.administration.retry(item: id)
    }
}
