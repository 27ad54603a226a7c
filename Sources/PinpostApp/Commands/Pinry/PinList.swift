import Administration
import PinpostCore

extension Command {
    static let pinList = Command(
        "pin list", "list a tenant's newest pins; without a token the public ones",
        operands: [SharedFlags.optionalSlug], flags: [AnyFlag(SharedFlags.board), AnyFlag(SharedFlags.limit)]
    ) { arguments, context in
        let pins = try await context.perform(
            ListPins(
                tenant: arguments.operand, board: try arguments.value(SharedFlags.board),
                limit: try arguments.value(SharedFlags.limit) ?? SharedFlags.standardLimit))
        try context.print(pins, text)
        return .done
    }

    private static func text(_ pins: [PinReport]) -> String {
        guard !pins.isEmpty else { return "There is no pin.\n" }
        return TextTable(
            titles: ["PIN", "USER", "DESCRIPTION"],
            pins.map { [$0.url, $0.username, String($0.description.prefix(80))] }
        ).text
    }
}

struct ListPins: AdminAction {
    static let name = "pin.list"
    var tenant: String?
    var board: String?
    var limit: Int

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [PinReport] {
        try await desk.administration.pins(of: tenant, on: board.map { BoardChoice($0) }, limit: limit)
    }
}
