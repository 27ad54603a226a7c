import Administration

extension Command {
    static let keysStatus = Command("keys status", "list the master keys and what each one holds") { _, context in
        let report = try await context.perform(ShowKeys())
        try context.print(report, text)
        return report.keys.allSatisfy { $0.isPresent || $0.records == 0 } ? .done : .configuration
    }

    private static func text(_ report: KeysReport) -> String {
        TextTable(
            titles: ["KEY", "SECRETS", ""],
            report.keys.map { key in
                [
                    key.id, String(key.records),
                    key.isCurrent ? "current" : key.isPresent ? "old" : "MISSING: put it back",
                ]
            }
        ).text
    }
}

struct ShowKeys: AdminAction {
    static let name = "keys.status"

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> KeysReport {
        try await desk.administration.keys()
    }
}
