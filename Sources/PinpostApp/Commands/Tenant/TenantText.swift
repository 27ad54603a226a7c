import Administration
import PinpostCore

/// Tenants as text for people.
enum TenantText {
    static func details(_ report: TenantReport) -> String {
        let rows = [
            ["tenant", report.tenant],
            ["id in logs", report.id],
            ["server", report.server + (report.dialect == .v2 ? "" : " (dialect \(report.dialect.rawValue))")],
            ["user", report.username ?? "none: only public pins can be listed"],
            ["board", report.board ?? "none"],
            ["state", state(report)],
            ["private addresses", report.allowsPrivateNetwork ? "allowed" : "refused"],
            ["own CA", report.hasOwnCA ? "yes" : "no"],
            ["makes boards", report.createsBoards ? "yes" : "no"],
            ["items per message", String(report.itemsPerMessage)],
            ["answers mails", report.replies.rawValue],
            ["keeps camera", report.keepsCamera ? "yes" : "no"],
            ["largest picture", report.uploadLimit.map { "\($0 >> 10) KiB: the server refused more" } ?? "as usual"],
            ["added", report.created.forPeople],
        ]
        return TextTable(rows).text + warnings(report)
    }

    static func list(_ reports: [TenantReport]) -> String {
        guard !reports.isEmpty else {
            return "There is no tenant yet; add one with `pinpost tenant add SLUG --server URL`.\n"
        }
        return TextTable(
            titles: ["TENANT", "SERVER", "USER", "BOARD", "STATE"],
            reports.map { [$0.tenant, $0.server, $0.username ?? "-", $0.board ?? "-", state($0)] }
        ).text
    }

    private static func state(_ report: TenantReport) -> String {
        report.reason.map { "\(report.state): \($0)" } ?? report.state
    }

    private static func warnings(_ report: TenantReport) -> String {
        report.warnings.map { "warning: \(TextTable.printable($0))\n" }.joined()
    }
}
