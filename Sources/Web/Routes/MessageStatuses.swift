internal import FoundationEssentials
internal import PinpostCore

/// The answers that say where a message stands.
struct MessageStatuses: Sendable {
    private let ports: WebService.Ports
    private let shutdown: Shutdown
    private let pathPrefix: String

    init(ports: WebService.Ports, shutdown: Shutdown) {
        self.ports = ports
        self.shutdown = shutdown
        pathPrefix = Self.path(of: ports.publicURL ?? "")
    }

    /// Durable, and nothing more is known.
    func accepted(_ id: Message.ID) -> HTTPAnswer {
        let text = "{\"id\":\(JSONText.quote(id.rawValue)),\"state\":\"accepted\"}\n"
        return HTTPAnswer(202, contentType: "application/json", fields: [location(id)], text: text)
    }

    /// The full status: 200 when it is final, 202 when it is not after `limit`; the place is free afterwards.
    func answer(_ id: Message.ID, after limit: Duration, holding place: UnderWay<Hook.ID>) async -> HTTPAnswer {
        defer { place.end() }
        do throws(StoreError) {
            guard let message = try await message(id, after: limit) else { return accepted(id) }
            let report = try await senderReport(message)
            return try Self.answer(report, status: report.isFinal ? 200 : 202, fields: [location(id)])
        } catch {
            // It is durable: a status that cannot be read now changes nothing about that.
            return accepted(id)
        }
    }

    func report(_ message: Message) async throws(StoreError) -> MessageReport {
        let items = try await ports.history.items(of: message.id)
        var server: Server?
        if let id = items.first?.server { server = try await ports.directory.server(id) }
        return MessageReport(message, items, on: server)
    }

    /// The same for one who may send as well: who only reads takes nothing back.
    func senderReport(_ message: Message) async throws(StoreError) -> MessageReport {
        var report = try await report(message)
        report.undoURL = try await undoURL(message)
        return report
    }

    /// Where a program or a person may take the pins back.
    private func undoURL(_ message: Message) async throws(StoreError) -> String? {
        let now = ports.surroundings.now()
        guard ports.undo != nil, now.timeIntervalSince(message.receivedAt) < PinUndo.limit,
            case .hook(let id) = message.route,
            let token = try await ports.directory.hook(id)?.tokenHashes(for: .send, at: now).last,
            PinUndo.isPossible(for: try await ports.history.items(of: message.id))
        else { return nil }
        let base = ports.publicURL.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 } ?? ""
        return "\(base)/v1/messages/\(message.id)/undo/\(UndoKey.of(message.id, token: token))"
    }

    static func answer(
        _ report: MessageReport, status: Int, fields: [HTTPAnswer.Field] = []
    ) throws(StoreError) -> HTTPAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            let text = String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
            return HTTPAnswer(status, contentType: "application/json", fields: fields, text: text)
        } catch {
            throw StoreError(.corrupt, "a status cannot be written as JSON")
        }
    }

    /// Where a browser sees the status of the message that an answer names.
    func page(of answer: HTTPAnswer, secret: String?) -> HTTPAnswer {
        guard let secret, let location = answer.field("Location") else { return answer }
        return HTTPAnswer(303, fields: [HTTPAnswer.Field("Location", "\(location)/\(secret)")])
    }

    private func location(_ id: Message.ID) -> HTTPAnswer.Field {
        HTTPAnswer.Field("Location", "\(pathPrefix)/v1/messages/\(id.rawValue)")
    }

    /// Waits for a final state, but not beyond the stop of the service.
    private func message(_ id: Message.ID, after limit: Duration) async throws(StoreError) -> Message? {
        guard limit > .zero else { return try await ports.history.message(id) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = try? await ports.history.waitUntilFinal(id, upTo: limit) }
            group.addTask { await shutdown.wait() }
            await group.next()
            group.cancelAll()
        }
        return try await ports.history.message(id)
    }

    /// `https://example.org/pins/` → `/pins`.
    private static func path(of url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].hasSuffix(":") else { return "" }
        var path = parts[2].drop { $0 != "/" }
        while path.last == "/" { path = path.dropLast() }
        return String(path)
    }
}
