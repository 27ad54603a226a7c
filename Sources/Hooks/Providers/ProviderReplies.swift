public import PinpostCore

/// Answers in the chats from which messages came.
public struct ProviderReplies: ReplyChannel {
    private let desk: ProviderDesk
    private let directory: any TenantDirectory

    public init(desk: ProviderDesk, directory: any TenantDirectory) {
        self.desk = desk
        self.directory = directory
    }

    public func send(_ reply: OwedReply) async throws(ReplyError) {
        let (hook, boards) = try await lookUp(reply)
        guard let provider = Providers.named(hook.provider), let address = reply.message.envelope.reply else {
            throw ReplyError(.withheld, "there is no way back")
        }
        let target: ReplyTarget
        let access: ProviderAccess
        do throws(VaultError) {
            let key = try address.key.map { key throws(VaultError) in try desk.keeper.open(key, of: hook.tenant) }
            (target, access) = (ReplyTarget(address.fields, key: key), try desk.access(to: hook))
        } catch {
            throw ReplyError(.refused, error.description)
        }
        let calls = provider.reply(ProviderReport(reply, boards: boards), to: target, with: access)
        guard !calls.isEmpty else { throw ReplyError(.withheld, "the hook has no way back") }
        for call in calls { try await send(call) }
    }

    private func lookUp(_ reply: OwedReply) async throws(ReplyError) -> (Hook, [Board]) {
        guard case .hook(let id) = reply.message.route else { throw ReplyError(.withheld, "no hook") }
        do throws(StoreError) {
            let boards = try await directory.boards(of: reply.tenant.id)?.boards ?? []
            if let hook = try await directory.hook(id) { return (hook, boards) }
        } catch {
            throw ReplyError(.unavailable, error.description)
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
            throw ReplyError(
                .unavailable, "the provider answered \(response.status)", retryAfter: pause.map(Double.init))
        default: throw ReplyError(.refused, "the provider answered \(response.status)")
        }
    }
}
