public import PinpostCore

/// Answers in the chats from which messages came.
public struct ProviderReplies: ReplyChannel {
    private let desk: ProviderDesk
    private let directory: any TenantDirectory
    private let undo: PinUndo?

    /// An Undo that is tried this often is given up, and that is said: after about a quarter of an hour.
    private static let mostUndoAttempts = 5

    /// Makes a channel; without `undo` nothing can be taken back.
    public init(desk: ProviderDesk, directory: any TenantDirectory, undo: PinUndo? = nil) {
        self.desk = desk
        self.directory = directory
        self.undo = undo
    }

    public func send(_ reply: OwedReply) async throws(ReplyError) {
        let (hook, boards) = try await lookUp(reply)
        if let order = reply.message.envelope.undo { return try await carryOut(order, reply, hook) }
        let (provider, target, access) = try wayBack(reply, hook)
        let calls = provider.reply(ProviderReport(reply, boards: boards), to: target, with: access)
        guard !calls.isEmpty else { throw ReplyError(.withheld, "the hook has no way back") }
        for call in calls { try await send(call) }
    }

    private func wayBack(
        _ reply: OwedReply, _ hook: Hook
    ) throws(ReplyError) -> (any Provider, ReplyTarget, ProviderAccess) {
        guard let provider = Providers.named(hook.provider), let address = reply.message.envelope.reply else {
            throw ReplyError(.withheld, "there is no way back")
        }
        do throws(VaultError) {
            let key = try address.key.map { key throws(VaultError) in try desk.keeper.open(key, of: hook.tenant) }
            return (provider, ReplyTarget(address.fields, key: key), try desk.access(to: hook))
        } catch {
            throw ReplyError(.refused, error.description)
        }
    }

    /// Takes back, then says what came of it: once, because a second attempt would find nothing more to do.
    private func carryOut(_ order: UndoOrder, _ reply: OwedReply, _ hook: Hook) async throws(ReplyError) {
        var result = PinUndo.Result.nothing
        if let undo, let message = order.message {
            result = await undo.undo(message, by: hook, askedAt: reply.message.receivedAt)
        }
        guard !result.mayDoMore || reply.attempt >= Self.mostUndoAttempts else {
            throw ReplyError(.postponed, result.text)
        }
        let (provider, target, access) = try wayBack(reply, hook)
        let report = UndoReport(
            order: reply.message.id, target: target, text: SenderWords.of(result.text), isDone: result.isDone)
        // A chat that cannot be reached does not undo the undoing.
        for call in provider.tell(report, with: access) { _ = try? await desk.send(call) }
    }

    private func lookUp(_ reply: OwedReply) async throws(ReplyError) -> (Hook, [Board]) {
        guard case .hook(let id) = reply.message.route else { throw ReplyError(.withheld, "no hook") }
        do throws(StoreError) {
            let boards = try await directory.boards(of: reply.tenant.id)?.boards ?? []
            if let hook = try await directory.hook(id) { return (hook, boards) }
        } catch {
            throw ReplyError(.postponed, error.description)
        }
        throw ReplyError(.refused, "the hook is gone")
    }

    private func send(_ call: ProviderCall) async throws(ReplyError) {
        let response: HTTPResponse
        do throws(ProviderError) { response = try await desk.send(call) } catch {
            throw ReplyError(error.code == .unavailable ? .unavailable : .refused, error.detail)
        }
        switch response.status {
        case 200..<300: return
        case 408, 425, 429, 500...:
            let pause = response.header("retry-after").flatMap { Int($0) }.map { min(max($0, 1), 3_600) }
            // Too many for one chat, or of one bot, says nothing about others.
            throw ReplyError(
                response.status == 429 ? .postponed : .unavailable, "the provider answered \(response.status)",
                retryAfter: pause.map(Double.init))
        default: throw ReplyError(.refused, "the provider answered \(response.status)")
        }
    }
}
