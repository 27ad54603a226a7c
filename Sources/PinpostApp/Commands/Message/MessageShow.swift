import Administration
import PinpostCore

extension Command {
    static let messageShow = Command(
        "message show", "show what became of a message, item by item", operands: [Operand("ID", "the message's id")],
        flags: [AnyFlag(SharedFlags.source)]
    ) { arguments, context in
        if arguments.has(SharedFlags.source) {
            try await context.writeSource { ReadSource(message: arguments.operands[0], offset: $0) }
            return .done
        }
        let report = try await context.perform(ShowMessage(id: Message.ID(arguments.operands[0])))
        try context.print(report, MessageText.details)
        return .done
    }
}

/// Tells what became of a message, at once or when it is final.
struct ShowMessage: AdminAction {
    static let name = "message.show"
    var id: Message.ID
    /// Waits that long at most for the final state, in seconds.
    var patience: Double = 0

    /// The longest wait of one call: a stop of the daemon must not have to wait for more.
    static let longestWait: Double = 15

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> MessageReport {
        if patience > 0 {
            _ = try await desk.history.waitUntilFinal(id, upTo: .seconds(min(patience, Self.longestWait)))
        }
        return try await desk.administration.report(of: id)
    }
}
