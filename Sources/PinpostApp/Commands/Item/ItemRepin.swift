import Administration

extension Command {
    private static let picture = Flag<PictureChoice>(
        "picture", "N|URL", "the number of `item pictures`, or an address",
        expected: "a number from 1 or an http(s) address"
    ) { PictureChoice($0) }

    static let itemRepin = Command(
        "item repin", "pin a link's page with another picture, and remove the pin from before",
        operands: [Operand("ID", "the item's id")], flags: [AnyFlag(picture), AnyFlag(SharedFlags.dryRun)],
        notes: """
            The new pin has the words, tags and board of the first. The old one goes only when the new one is there, and
            stays where somebody else's pin shows its picture, since Pinry would remove that one too.
            """
    ) { arguments, context in
        guard let choice = try arguments.value(picture) else {
            throw UsageError("--picture is missing: a number of `pinpost item pictures`, or an address.")
        }
        let rehearsal = arguments.has(SharedFlags.dryRun)
        let item = try await context.perform(
            RepinItem(id: arguments.operands[0], picture: choice, rehearsal: rehearsal))
        try context.print(item, ItemText.details)
        if rehearsal { context.hint("It can be pinned anew; nothing was done.") }
        return .done
    }
}

struct RepinItem: AdminAction {
    static let name = "item.repin"
    var id: String
    var picture: PictureChoice
    var rehearsal: Bool

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> ItemReport {
        try await desk.administration.repin(item: id, with: picture, rehearsal: rehearsal)
    }
}
