import Cryptography
import FoundationEssentials
import PinpostCore

extension Command {
    private static let description = Flag("description", "TEXT", "what the pin says")
    private static let source = Flag("source", "URL", "where the picture is from")
    private static let again = Switch("again", "pin a page once more that is pinned already")
    private static let wait = Flag(
        "wait", "SECONDS", "how long to wait for the pin; 0 does not wait (120)", in: 0...3_600)

    static let pinSend = Command(
        "pin", "pin pictures and links now, and print their pages in Pinry",
        operands: [Operand("FILE|URL", "a picture file, or a link", count: .atLeastOne)],
        flags: [
            AnyFlag(SharedFlags.tenant), AnyFlag(SharedFlags.board), AnyFlag(description), AnyFlag(source),
            AnyFlag(SharedFlags.tag, repeatable: true), AnyFlag(SharedFlags.isPrivate), AnyFlag(again),
            AnyFlag(wait),
        ],
        notes: "What is not pinned in time goes on in the service; `pinpost message show ID` tells what became of it."
    ) { arguments, context in
        let wishes = PinWishes(
            tenant: try arguments.value(SharedFlags.tenant), board: try arguments.value(SharedFlags.board),
            description: try arguments.value(description), source: try arguments.value(source),
            tags: try arguments.all(SharedFlags.tag), isPrivate: arguments.has(SharedFlags.isPrivate),
            isAgain: arguments.has(again))
        if let source = wishes.source { try PinTarget.checkLink(source) }
        let targets = try arguments.operands.map { (name: $0, target: try PinTarget($0)) }
        let patience = try arguments.value(wait) ?? 120
        let reports = try await context.withAdministration { administration in
            var ids: [Message.ID] = []
            for (_, target) in targets { ids.append(try await context.send(target, wishes, to: administration)) }
            let accepted = ids
            return try await administration.delivering {
                try await MessageWait(ids: accepted, patience: .seconds(patience)).reports(from: administration)
            }
        }
        try context.print(reports) { _ in
            zip(targets, reports).map { MessageText.outcome(of: $0.name, $1) }.joined()
        }
        // Whoever does not wait has what he asked for.
        return patience == 0 ? .done : MessageText.exitCode(of: reports)
    }
}

extension CommandContext {
    fileprivate func send(
        _ target: PinTarget, _ wishes: PinWishes, to administration: any AdminConnection
    ) async throws -> Message.ID {
        switch target {
        case .link(let url):
            return try await administration.perform(SendPin(wishes: wishes, link: url)).message
        case .picture(let path, let type):
            let body = FileBody(try ReadFile.open(path), closes: true, pool: pool)
            let name = path.split(separator: "/").last.map(String.init)
            let action = SendPin(wishes: wishes, picture: type, name: name)
            return try await administration.perform(action, body: body).message
        }
    }
}

/// What the flags say of the pins.
struct PinWishes: Codable, Sendable {
    var tenant: String?
    var board: String?
    var description: String?
    var source: String?
    var tags: [String]
    var isPrivate: Bool
    /// nil from a command line of an earlier version.
    var isAgain: Bool?
}

/// The message that now holds what was handed over.
struct AcceptedMessage: Codable, Sendable {
    var message: Message.ID
    /// It was there already.
    var isRepeat: Bool

    enum CodingKeys: String, CodingKey {
        case message
        case isRepeat = "repeat"
    }

    init(_ acceptance: Acceptance) {
        message = acceptance.message
        isRepeat = acceptance.isRepeat
    }
}
