import Administration
import PinpostCore

/// Items as text for people.
enum ItemText {
    static func list(_ items: [ItemReport]) -> String {
        guard !items.isEmpty else { return "There is no such item.\n" }
        return TextTable(
            titles: ["ID", "TENANT", "KIND", "STATE", "STEP", "TRIES", "QUEUED", "WHAT"],
            items.map { item in
                let what = item.pin?.url ?? item.reason ?? item.name ?? ""
                return [
                    item.id, item.tenant, item.kind, item.state.rawValue, item.step.rawValue, String(item.attempt),
                    item.queued.forPeople, what.count > 100 ? what.prefix(99) + "…" : what,
                ]
            }
        ).text
    }

    static func pictures(_ pictures: [OfferedPictureReport]) -> String {
        guard !pictures.isEmpty else { return "The page offered no picture.\n" }
        return TextTable(
            titles: ["N", "RULE", "SIZE", "PICTURE"],
            pictures.map { picture in
                let size = picture.width.flatMap { width in picture.height.map { "\(width)×\($0)" } }
                return [String(picture.number), picture.rule, size ?? "-", picture.url]
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
