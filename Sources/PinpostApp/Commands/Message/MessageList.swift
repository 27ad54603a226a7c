import Administration
import PinpostCore

extension Command {
    static let messageList = Command(
        "message list", "list what came in, newest first",
        operands: [SharedFlags.anySlug], flags: [AnyFlag(SharedFlags.limit)]
    ) { arguments, context in
        let messages = try await context.perform(
            ListMessages(
                tenant: arguments.operand,
                limit: try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit))
        try context.print(messages, text)
        return .done
    }

    private static func text(_ messages: [MessageLine]) -> String {
        guard !messages.isEmpty else { return "Nothing has come in yet.\n" }
        return TextTable(
            titles: ["ID", "TENANT", "RECEIVED", "BY", "STATE", "PINNED", "WAITING", "PARKED", "REASON"],
            messages.map { message in
                [
                    message.id, message.tenant, message.received.forPeople, message.source.rawValue,
                    message.state.rawValue,
                    String(message.pinned), String(message.waiting), String(message.parked), message.reason ?? "",
                ]
            }
        ).text
    }
}

struct ListMessages: AdminAction {
    static let name = "message.list"
    var tenant: String?
    var limit: Int

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [MessageLine] {
        try await desk.administration.messages(of: tenant, newest: limit)
    }
}
