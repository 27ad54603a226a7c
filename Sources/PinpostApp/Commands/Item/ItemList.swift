import Administration
import PinpostCore

extension Command {
    private static let state = Flag<Item.State>("state", "only items in this state")

    static let itemList = Command(
        "item list", "list items, newest first: each is one picture or link on its way to becoming a pin",
        operands: [SharedFlags.anySlug], flags: [AnyFlag(state, repeatable: true), AnyFlag(SharedFlags.limit)]
    ) { arguments, context in
        let states = try arguments.all(state)
        let items = try await context.perform(
            ListItems(
                tenant: arguments.operand, states: states.isEmpty ? Set(Item.State.allCases) : Set(states),
                limit: try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit))
        try context.print(items, ItemText.list)
        return .done
    }
}

struct ListItems: AdminAction {
    static let name = "item.list"
    var tenant: String?
    var states: Set<Item.State>
    var limit: Int

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [ItemReport] {
        try await desk.administration.items(of: tenant, in: states, newest: limit)
    }
}
