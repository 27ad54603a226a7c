import Administration

extension Command {
    static let itemPictures = Command(
        "item pictures", "list the pictures that the page behind a link offered, the best first",
        operands: [Operand("ID", "the item's id")]
    ) { arguments, context in
        let pictures = try await context.perform(ListPictures(item: arguments.operands[0]))
        try context.print(pictures, ItemText.pictures)
        return .done
    }
}

struct ListPictures: AdminAction {
    static let name = "item.pictures"
    var item: String

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> [OfferedPictureReport] {
        try await desk.administration.pictures(of: item)
    }
}
