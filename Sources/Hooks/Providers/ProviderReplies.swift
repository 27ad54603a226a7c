internal import FoundationEssentials
public import PinpostCore

/// Answers in the chats from which messages came.
public struct ProviderReplies: ReplyChannel {
    private let desk: ProviderDesk
    private let directory: any TenantDirectory
    private let undo: PinUndo?

    /// Makes a channel; without `undo` nothing can be taken back.
    public init(desk: ProviderDesk, directory: any TenantDirectory, undo: PinUndo? = nil) {
        self.desk = desk
        self.directory = directory
        self.undo = undo
    }

    public func send(_ reply: OwedReply) async throws(ReplyError) {
        let (hook, boards) = try await lookUp(reply)
        let (provider, target, access) = try wayBack(reply, hook)
        if let outcome = reply.message.envelope.undo?.outcome {
            let report = UndoReport(outcome, of: reply.message.id, to: target)
            return try await sendAny(of: provider.tell(report, with: access))
        }
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

    /// Takes back; what cannot be taken back now is given up, and told, once its chat could not be told later.
    public func carryOut(_ order: UndoOrder, of reply: OwedReply) async throws(ReplyError) -> UndoOutcome {
        guard let undo, let message = order.message else { return PinUndo.Result.nothing.outcome }
        let (hook, _) = try await lookUp(reply)
        let askedAt = reply.message.receivedAt
        let result = await undo.undo(message, by: hook, askedAt: askedAt, isRepeat: reply.attempt > 1)
        let patience = Providers.named(hook.provider)?.undoPatience ?? 0
        guard result.isWorthRepeating, undo.now < askedAt + patience else { return result.outcome }
        throw ReplyError(result.isPinryAway ? .unavailable : .postponed, result.outcome.text)
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

    /// One of several ways to say the same is enough: a button that is gone cannot be changed, the chat still hears.
    private func sendAny(of calls: [ProviderCall]) async throws(ReplyError) {
        var failure = ReplyError(.withheld, "the hook has no way back")
        var isTold = false
        for call in calls {
            do throws(ReplyError) {
                try await send(call)
                isTold = true
            } catch {
                failure = error
            }
        }
        if !isTold { throw failure }
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
