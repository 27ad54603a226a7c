import Administration
import PinpostCore

extension Command {
    static let messageReplay = Command(
        "message replay", "read a parked message again, after what was wrong has been mended",
        operands: [Operand("ID", "the message's id")],
        notes: "Rules about senders count again; `pinpost quarantine release` lets a mail past them."
    ) { arguments, context in
        let report = try await context.perform(ReplayMessage(id: Message.ID(arguments.operands[0])))
        try context.print(report, MessageText.details)
        return .done
    }
}

struct ReplayMessage: AdminAction {
    static let name = "message.replay"
    var id: Message.ID

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MessageReport {
        try await desk.quarantine.replay(id)
        return try await desk.administration.report(of: id)
    }
}
