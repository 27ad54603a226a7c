import Administration
import Cryptography
import FoundationEssentials
import PinpostCore

/// Takes a picture (the body) or a link as a message, in the form in which webhooks bring them.
struct SendPin: AdminAction {
    static let name = "pin.send"
    var wishes: PinWishes
    var link: String?
    var picture: PictureType?
    var name: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AcceptedMessage {
        let tenant = try await desk.administration.tenant(named: wishes.tenant)
        try Self.check(tenant)
        _ = try TenantAdministration.tags(wishes.tags)
        var wishes = wishes
        if let board = wishes.board {
            wishes.board = try await desk.administration.board(BoardChoice(board), of: tenant).name
        }
        let surroundings = desk.intake.surroundings
        let id: Message.ID = surroundings.makeID()
        let (bytes, envelope) = try await content(wishes, body, desk.intake)
        let message = ReceivedMessage(
            id: id, tenant: tenant.id, route: .command, source: .command,
            // Nothing identifies what an admin sends: sending it twice means twice.
            deliveryKey: SHA256.hash(id.rawValue), body: bytes, envelope: envelope, receivedAt: surroundings.now())
        return AcceptedMessage(try await desk.intake.accept(message))
    }

    /// What cannot be delivered is not taken.
    private static func check(_ tenant: Tenant) throws {
        guard tenant.token != nil else { throw PinryError(.tokenMissing) }
        if case .stopped(let reason) = tenant.status {
            throw Failure(
                "stopped",
                "Tenant \(tenant.slug) is stopped: \(reason) Then run `pinpost tenant check \(tenant.slug)`.",
                exit: .notAllowed)
        }
    }

    private func content(
        _ wishes: PinWishes, _ body: any AdminBody, _ intake: Intake
    ) async throws -> (StoredBytes, Envelope) {
        guard let link else {
            let bytes = try await intake.store(body, limit: PinTarget.limit)
            return (bytes, Envelope(contentType: picture?.mimeType, fields: wishes.fields(fileName: name)))
        }
        let json = BytesBody(Array(try JSONEncoder().encode(LinkPayload(url: link, wishes))))
        let bytes = try await intake.store(json, limit: PinTarget.limit)
        return (bytes, Envelope(contentType: "application/json"))
    }
}

/// A link as a webhook's JSON says it.
private struct LinkPayload: Encodable {
    var url: String
    var description: String?
    var source: String?
    var board: String?
    var tags: [String]
    var isPrivate: Bool
    var isAgain: Bool

    enum CodingKeys: String, CodingKey {
        case url, description, source, board, tags
        case isPrivate = "private"
        case isAgain = "again"
    }

    init(url: String, _ wishes: PinWishes) {
        self.url = url
        description = wishes.description
        source = wishes.source
        board = wishes.board
        tags = wishes.tags
        isPrivate = wishes.isPrivate
        isAgain = wishes.isAgain ?? false
    }
}

extension PinWishes {
    /// As the query of a webhook call says it.
    fileprivate func fields(fileName: String?) -> [String: String] {
        var fields: [String: String] = [:]
        fields["description"] = description
        fields["source"] = source
        fields["board"] = board
        fields["filename"] = fileName
        if !tags.isEmpty { fields["tags"] = tags.joined(separator: ",") }
        if isPrivate { fields["private"] = "true" }
        return fields
    }
}
