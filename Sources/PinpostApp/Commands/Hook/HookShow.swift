import Administration
import PinpostCore

extension Command {
    static let hookShow = Command(
        "hook show", "show a webhook's settings, without its secrets",
        operands: [SharedFlags.slug, Operand("ID", "the hook's id from `hook list`")]
    ) { arguments, context in
        let report = try await context.perform(ShowHook(tenant: arguments.operands[0], id: arguments.operands[1]))
        try context.print(report) { HookText.details($0) }
        return .done
    }
}

struct ShowHook: AdminAction {
    static let name = "hook.show"
    var tenant: String
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookReport {
        let hook = try await desk.administration.hook(id, ofTenant: tenant)
        return desk.administration.report(of: hook)
    }
}

/// A hook as text for people.
enum HookText {
    static func details(_ report: HookReport) -> String {
        var rows = [
            ["id", report.id], ["url", report.url], ["provider", report.provider], ["board", report.board ?? "-"],
            ["tags", report.tags.isEmpty ? "-" : report.tags.joined(separator: ", ")],
            ["private", report.isPrivate ? "yes" : "no"], ["label", report.label.isEmpty ? "-" : report.label],
            ["live tokens", String(report.liveTokens)],
        ]
        guard report.provider != Hook.generic else { return TextTable(rows).text }
        rows += [
            ["signing secret", report.hasSecret ? "saved" : "none"], ["API token", report.hasToken ? "saved" : "none"],
            ["API", report.apiBase ?? "the provider's own"],
            ["allowed", report.allowed.isEmpty ? "-" : report.allowed.joined(separator: ", ")],
        ]
        for (name, value) in report.options.sorted(by: { $0.key < $1.key }) { rows.append(["option \(name)", value]) }
        return TextTable(rows).text
    }
}
