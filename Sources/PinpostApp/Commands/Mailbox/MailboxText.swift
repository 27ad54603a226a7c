import Administration
import Mail
import PinpostCore

/// Mailboxes as text for people.
enum MailboxText {
    static func details(_ report: MailboxReport) -> String {
        TextTable([
            ["mailbox", report.mailbox],
            ["server", "\(report.host):\(report.port) (\(report.encryption.rawValue))"],
            ["user", "\(report.username) (\(report.login))"],
            ["folder", report.folder],
            ["recipient in", report.recipientHeaders.joined(separator: ", ")],
            ["afterwards", report.after],
            ["failures", report.failures ?? "marked, and left"],
            [
                "trusted",
                report.trustedAuthServers.isEmpty ? "nobody" : report.trustedAuthServers.joined(separator: ", "),
            ],
            ["state", state(report)],
            ["last success", report.lastSuccess.map(\.forPeople) ?? "never"],
            ["taken", String(report.taken)],
            ["left alone", String(report.quarantined - report.unreadable)],
            ["unreadable", String(report.unreadable)],
            ["tried again", String(report.failing)],
        ]).text
    }

    static func list(_ reports: [MailboxReport]) -> String {
        guard !reports.isEmpty else {
            return "No mailbox is watched; add one with `pinpost mailbox add NAME --host HOST --user NAME`.\n"
        }
        return TextTable(
            titles: ["MAILBOX", "SERVER", "USER", "LAST SUCCESS", "TAKEN", "STATE"],
            reports.map {
                [
                    $0.mailbox, $0.host, $0.username, $0.lastSuccess.map(\.forPeople) ?? "never", String($0.taken),
                    state($0),
                ]
            }
        ).text
    }

    static func quarantine(_ lines: [QuarantineLine]) -> String {
        guard !lines.isEmpty else { return "" }
        return "\n"
            + TextTable(
                titles: ["UID", "SEEN", "MAIL", "BECAUSE"],
                lines.map { [String($0.uid), $0.seen.forPeople, word($0.kind), $0.reason] }
            ).text
    }

    private static func word(_ kind: QuarantinedMail.Kind) -> String {
        switch kind {
        case .leftAlone: "left alone"
        case .unreadable: "unreadable"
        case .failing: "tried again"
        case .unmoved: "pinned, but not moved"
        }
    }

    static func findings(_ findings: MailboxTrial.Findings) -> String {
        TextTable([
            ["login", "works"],
            ["mails", String(findings.mails)],
            ["tells of new mail", findings.idle ? "yes" : "no: it is asked every 45 s"],
            ["moves mails", findings.move ? "yes" : "by copying and deleting"],
            ["keywords", findings.keywords ? "yes" : "no: --after mark sets \\Flagged"],
        ]).text + findings.alerts.map { "the server says: \(TextTable.printable($0))\n" }.joined()
    }

    static func probe(_ probe: MailboxTrial.Probe) -> String {
        let fields = probe.fields.map {
            [
                $0.name, $0.isOurs ? "holds an address of ours" : "other address",
                $0.isUsed ? "looked at" : "not looked at",
            ]
        }
        let servers = probe.authServers.map { server in
            [
                server.id, server.isReadable ? server.results.joined(separator: " ") : "cannot be read",
                server.isTrusted ? "trusted" : "not trusted",
            ]
        }
        let sender = probe.sender
        return "Newest mail, UID \(probe.uid):\n\n"
            + TextTable(titles: ["FIELD", "RECIPIENT", "MAILBOX"], fields).text + "\n"
            + TextTable(
                titles: ["SENDER CHECKED BY", "RESULTS", "MAILBOX"], servers.isEmpty ? [["nobody", "", ""]] : servers
            ).text + "\n"
            + TextTable.printable(
                "sender: \(sender.from ?? "not exactly one"), \(sender.proof == nil ? "not proven" : "proven"): "
                    + sender.reason) + "\n"
    }

    private static func state(_ report: MailboxReport) -> String {
        let state = report.reason.map { "\(report.state): \($0)" } ?? report.state
        guard report.unreadable > 0 else { return state }
        return "\(state) (\(report.unreadable) unreadable: see `pinpost mailbox show \(report.mailbox)`)"
    }
}
