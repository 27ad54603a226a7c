import Administration
import PinpostCore

/// Items as text for people.
enum ItemText {
    static func list(_ items: [ItemReport]) -> String {
        guard !items.isEmpty else { return "There is no such item.\n" }
        return TextTable(
            titles: ["ID", "KIND", "STATE", "STEP", "TRIES", "QUEUED", "WHAT"],
            items.map { item in
                let what = item.pin?.url ?? item.reason ?? item.name ?? ""
                return [
                    item.id, item.kind, item.state.rawValue, item.step.rawValue, String(item.attempt),
                    item.queued.forPeople, what.count > 100 ? what.prefix(99) + "…" : what,
                ]
            }
        ).text
    }

    static func details(_ item: ItemReport) -> String {
        TextTable([
            ["item", item.id],
            ["tenant", item.tenant],
            ["message", item.message],
            [item.kind, item.name ?? "-"],
            ["state", item.state.rawValue],
            ["step", "\(item.step.rawValue), attempts \(item.attempt)"],
            ["reason", item.reason ?? "-"],
            ["pin", item.pin?.url ?? "-"],
            ["queued", item.queued.forPeople],
        ]).text
    }
}
