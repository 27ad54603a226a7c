internal import Cryptography
internal import PinpostCore

/// `GET /v1/messages/ID`: for the hook that made the message; everybody else gets the same 404.
struct MessageRoute: Sendable {
    let ports: WebService.Ports
    let statuses: MessageStatuses
    let limiter: RequestLimiter

    func answer(_ head: RequestHead, message id: String, secret: String?) async -> HTTPAnswer {
        guard head.method == "GET" || head.method == "HEAD" else { return .methodNotAllowed("GET, HEAD") }
        let token = HookCredential.presented(by: head, secret: secret)
        do throws(StoreError) {
            let message = try await ports.history.message(Message.ID(id))
            let hook = try await hook(of: message)
            let hashes = hook?.tokenHashes(for: .status, at: ports.surroundings.now())
            guard token.opens(hashes), let message else {
                let unknown = Problem(404, "There is no such message, or another hook made it.").answer()
                return limiter.refuse(head, with: unknown, at: ports.surroundings.now())
            }
            let maySend = token.opens(hook?.tokenHashes(for: .send, at: ports.surroundings.now()))
            let report = try await maySend ? statuses.senderReport(message) : statuses.report(message)
            return try MessageStatuses.answer(report, status: 200)
        } catch {
            return Problem(error).answer(fields: error.retryFields)
        }
    }

    private func hook(of message: Message?) async throws(StoreError) -> Hook? {
        guard case .hook(let id) = message?.route else { return nil }
        return try await ports.directory.hook(id)
    }
}
