import Administration
import Hooks
import PinpostCore

extension Command {
    private static let sample = Flag<SenderSample>(
        "for", "print what sets this sender up, with the hook's own address")
    private static let tokenFile = Flag(
        "token-file", "FILE|-", "the hook's token, to be put into that text; it is not kept anywhere")

    static let hookShow = Command(
        "hook show", "show a webhook, or print what sets a sender up for it",
        operands: [Operand("HOOK", "the hook's id from `hook list`")],
        flags: [AnyFlag(sample), AnyFlag(tokenFile)],
        notes: "Without --token-file the word TOKEN stands where the token belongs. docs/senders has the steps."
    ) { arguments, context in
        let hook = try await context.perform(ShowHook(id: arguments.operands[0]))
        guard let sample = try arguments.value(sample) else {
            try context.print(hook.entrance) { EntranceText.list([$0], none: "") }
            return .done
        }
        let token = try arguments.value(tokenFile).map { try context.text(of: $0, flag: "--token-file").trimmed }
        let text = sample.text(hook: hook.entrance.url ?? "", token: token ?? SenderSample.placeholder)
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
    var id: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> HookDetails {
        try await desk.administration.hook(id)
    }
}
