import Administration

extension Command {
    static let boardList = Command(
        "board list", "list a tenant's boards in Pinry", operands: [SharedFlags.optionalSlug]
    ) { arguments, context in
        let boards = try await context.perform(ListBoards(tenant: arguments.operand))
        try context.print(boards, text)
        return .done
    }

    private static func text(_ boards: [BoardReport]) -> String {
        guard !boards.isEmpty else { return "There is no board; make one in Pinry.\n" }
        return TextTable(
            titles: ["ID", "NAME", ""],
            boards.map { board in
                let facts = [board.isDefault ? "default" : nil, board.isPrivate ? "private" : nil].compactMap { $0 }
                return [String(board.id), board.name, facts.joined(separator: ", ")]
            }
        ).text
    }
}

struct ListBoards: AdminAction {
    static let name = "board.list"
    var tenant: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [BoardReport] {
        try await desk.administration.boards(of: tenant)
    }
}
