import FoundationEssentials

/// Performs requests that came as frames, and answers with frames.
struct AdminHandler: Sendable {
    let desk: AdminDesk

    private static let actions: [String: any AdminAction.Type] = Dictionary(
        uniqueKeysWithValues: AdminActions.all.map { ($0.name, $0) })

    /// Never throws: whatever goes wrong is the answer.
    func answer(to frame: [UInt8], body: any AdminBody) async -> [UInt8] {
        do {
            let name = try AdminFrame.decode(RequestName.self, from: frame).action
            guard let type = Self.actions[name] else {
                throw Failure(
                    "version", "The daemon does not know \(name); restart it, it is of another version.",
                    exit: .unavailable)
            }
            return try await answer(type, frame, body)
        } catch {
            return AdminFrame.encode(failure: Failure(error))
        }
    }

    private func answer<Action: AdminAction>(
        _: Action.Type, _ frame: [UInt8], _ body: any AdminBody
    ) async throws -> [UInt8] {
        let action = try AdminFrame.decode(Request<Action>.self, from: frame).arguments
        let answer = try await action.perform(at: desk, body: body)
        return try AdminFrame.encode(Reply(answer: answer))
    }
}

/// What a request frame begins with.
struct RequestName: Codable, Sendable {
    var action: String
}

struct Request<Action: AdminAction>: Codable, Sendable {
    var action = Action.name
    var arguments: Action
}

/// Exactly one of both is set.
struct Reply<Answer: Codable & Sendable>: Codable, Sendable {
    var answer: Answer?
    var failure: Failure?
}

/// Frames as JSON.
enum AdminFrame {
    /// A request or reply of more bytes is refused before it is read.
    static let limit = 16 << 20

    private struct Nothing: Codable, Sendable {}

    static func encode(_ value: some Encodable) throws -> [UInt8] { try Array(JSONEncoder().encode(value)) }

    static func encode(failure: Failure) -> [UInt8] {
        let reply = Reply<Nothing>(failure: failure)
        // Two strings and a number: there is nothing that could not be encoded.
        return (try? encode(reply)) ?? []
    }

    static func decode<Value: Decodable>(_: Value.Type, from frame: [UInt8]) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(frame))
        } catch {
            throw Failure(
                "version", "Daemon and command line do not understand each other; restart the daemon.",
                exit: .unavailable)
        }
    }
}
