import Administration
import Hooks
import PinpostCore

extension Command {
    private static let sample = Flag<SenderSample>("for", "print what sets this sender up, with the hook's own address")
    private static let sampleToken = Flag(
        "token-file", "FILE|-", "the hook's token, to be put into that text; it is kept nowhere")

    static let hookShow = Command(
        "hook show", "show a webhook's settings, without its secrets, or what sets a sender up for it",
        operands: [
            Operand("HOOK", "the hook's id from `hook list`; its tenant may stand before it", count: .atLeastOne)
        ],
        flags: [AnyFlag(sample), AnyFlag(sampleToken)],
        notes: "Without --token-file the word TOKEN stands where the token belongs; docs/senders has the steps."
    ) { arguments, context in
        let operands = arguments.operands
        guard let id = operands.last, operands.count <= 2 else { throw UsageError("Give one HOOK.") }
        let report = try await context.perform(ShowHook(tenant: operands.count == 2 ? operands[0] : nil, id: id))
        guard let sample = try arguments.value(sample) else {
            try context.print(report) { HookText.details($0) }
            return .done
        }
        guard sample != .cloudflare || report.provider == "cloudflare-email-worker" else {
            throw UsageError(
                "That worker sends raw mails: make a hook for it with `pinpost hook add cloudflare-email-worker`.")
        }
        let token = try arguments.value(sampleToken).map { try context.text(of: $0, flag: "--token-file").trimmed }
        let text = sample.text(hook: report.url, token: token ?? SenderSample.placeholder)
        try context.print(SenderText(sender: sample.rawValue, text: text)) { $0.text }
        return .done
    }
}

/// What `hook show --for` prints.
private struct SenderText: Encodable, Sendable {
    let sender: String
    let text: String
}

struct ShowHook: AdminAction {
    static let name = "hook.show"
    /// Whose it has to be; nil: anybody's.
    var tenant: String?
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookReport {
        let administration = desk.administration
        let hook =
            if let tenant {
                try await administration.hook(id, ofTenant: tenant)
            } else {
                try await administration.hook(id)
            }
        return try await administration.report(of: hook)
    }
}

/// A hook as text for people.
enum HookText {
    static func details(_ report: HookReport) -> String {
        var rows = [
            ["id", report.id], ["url", report.url], ["provider", report.provider], ["board", report.board ?? "-"],
            ["tags", report.tags.isEmpty ? "-" : report.tags.joined(separator: ", ")],
            ["private", report.isPrivate ? "yes" : "no"], ["label", report.label.isEmpty ? "-" : report.label],
            ["live tokens", String(report.liveTokens)], ["for", report.scopes.joined(separator: ", ")],
            ["expires", report.expires?.forPeople ?? "never"], ["last used", report.lastUsed?.forPeople ?? "never"],
        ]
        for (index, token) in report.tokens.enumerated() where report.tokens.count > 1 || token.isLimited {
            let name = index == report.tokens.count - 1 ? "newest token" : "former token"
            let end = token.expires.map { "until \($0.forPeople)" } ?? "without end"
            rows.append([name, "for \(token.scopes.joined(separator: ", ")), \(end)"])
        }
        if let mapping = report.mapping { rows.append(["mapping", mapping]) }
        guard report.provider != Hook.generic else { return TextTable(rows).text }
        rows += [
            ["signing secret", report.hasSecret ? "saved" : "none"], ["API token", report.hasToken ? "saved" : "none"],
            ["API", report.apiBase ?? "the provider's own"],
            ["allowed", report.allowed.isEmpty ? "-" : report.allowed.joined(separator: ", ")],
        ]
        let obstacle = ProviderDesk.obstacleToFiles(
            of: report.provider, hook: Hook.ID(report.id), hasToken: report.hasToken, apiBase: report.apiBase)
        if let obstacle { rows.append(["files", obstacle]) }
        for (name, value) in report.options.sorted(by: { $0.key < $1.key }) { rows.append(["option \(name)", value]) }
        return TextTable(rows).text
    }
}

extension TokenReport {
    fileprivate var isLimited: Bool { expires != nil || scopes.count < HookScope.allCases.count }
}
