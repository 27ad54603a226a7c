import Administration
import PinpostCore

/// What `address add` and `hook add` have in common.
struct EntranceRequest: Codable, Sendable {
    var tenant: String?
    var board: String?
    var tags: [String]
    var isPrivate: Bool
    var label: String

    static let flags = [
        AnyFlag(SharedFlags.board), AnyFlag(SharedFlags.tag, repeatable: true), AnyFlag(SharedFlags.isPrivate),
        AnyFlag(SharedFlags.label),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        tenant = arguments.operand
        board = try arguments.value(SharedFlags.board)
        tags = try arguments.all(SharedFlags.tag)
        isPrivate = arguments.has(SharedFlags.isPrivate)
        label = try arguments.value(SharedFlags.label) ?? ""
    }

    var entrance: NewEntrance {
        NewEntrance(
            tenant: tenant, board: board.map { BoardChoice($0) }, tags: tags, isPrivate: isPrivate, label: label)
    }
}

/// Hooks as text for people.
enum EntranceText {
    static func list(_ reports: [EntranceReport], none: String) -> String {
        guard !reports.isEmpty else { return none + "\n" }
        return TextTable(
            titles: ["ID", "PROVIDER", "BOARD", "TAGS", "PRIVATE", "FOR", "EXPIRES", "LAST USED", "ADDED", "LABEL"],
            reports.map { report in
                [
                    report.id, report.provider, report.board ?? "-",
                    report.tags.isEmpty ? "-" : report.tags.joined(separator: ","),
                    report.isPrivate ? "yes" : "no", report.scopes.joined(separator: ","),
                    report.expires?.forPeople ?? "never", report.lastUsed?.forPeople ?? "never",
                    report.created.forPeople, report.label,
                ]
            }
        ).text
    }
}
