import PinpostCore

/// What became of a message, as text for people and as exit code.
enum MessageText {
    static func details(_ report: MessageReport) -> String {
        var rows = [["message", report.id.rawValue], ["state", state(report)]]
        for item in report.items {
            let reason = item.reason.map { ": \($0)" } ?? ""
            let outcome = item.pin?.url ?? "\(item.state.rawValue) at \(item.step.rawValue)\(reason)"
            rows.append([item.kind, "\(outcome)  (\(item.id))"])
        }
        for part in report.skipped {
            rows.append(["left out", "\(part.url ?? part.name ?? part.kind.rawValue): \(part.reason)"])
        }
        return TextTable(rows).text
    }

    private static func state(_ report: MessageReport) -> String {
        report.reason.map { "\(report.state.rawValue): \($0)" } ?? report.state.rawValue
    }

    /// One line for each item of what was sent under `name`.
    static func outcome(of name: String, _ report: MessageReport) -> String {
        guard !report.items.isEmpty else {
            let reason = report.reason ?? report.skipped.first?.reason ?? "still waiting as message \(report.id)"
            return TextTable.printable("\(name): \(reason)") + "\n"
        }
        return report.items.map { item in
            let rest = item.reason ?? "still on its way as message \(report.id)"
            return TextTable.printable("\(name): \(item.pin?.url ?? "\(item.state.rawValue): \(rest)")") + "\n"
        }.joined()
    }

    static func exitCode(of reports: [MessageReport]) -> ExitCode {
        guard reports.allSatisfy(\.isFinal) else { return .tryLater }
        let isPinned = reports.allSatisfy { report in
            !report.items.isEmpty && report.items.allSatisfy { $0.state == .done }
        }
        return isPinned ? .done : .wrongData
    }
}
