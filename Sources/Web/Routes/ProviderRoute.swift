internal import Cryptography
internal import Hooks
internal import PinpostCore

/// A named provider's requests: its proof, its answers, its codes; the hook is known already.
struct ProviderRoute: Sendable {
    let ports: WebService.Ports
    let hook: Hook
    let entrance: ProviderEntrance
    /// Called once a body turned out to be the provider's.
    let noteProof: @Sendable () async -> Void

    /// What a wrong token gets, whatever was wrong: no hint, and the same as for an unknown hook.
    static let refusal = Problem(401, "There is no such hook, or its token is missing or wrong.")
        .answer(fields: [HTTPAnswer.Field("WWW-Authenticate", "Bearer")])

    /// Behind the hook's own address stands our token, where the provider cannot send it otherwise, and what the
    /// provider adds itself.
    func open(_ head: RequestHead, behind segments: [String]) -> Opening {
        let secret = segments.first.flatMap { $0.hasPrefix(HookToken.prefix) ? $0 : nil }
        let path = Array(segments.dropFirst(secret == nil ? 0 : 1))
        let token = HookCredential.presented(by: head, secret: secret)
        guard entrance.methods.contains(head.method) else {
            return .answer(.methodNotAllowed(entrance.methods.joined(separator: ", ")))
        }
        let hashes = hook.tokenHashes(for: .send, at: ports.surroundings.now())
        guard !entrance.needsToken(head.method) || token.opens(hashes) else { return .answer(Self.refusal) }
        guard entrance.serves(path) else { return .answer(WebService.nothing) }
        let request = ProviderEntrance.Head(
            method: head.method, path: path, query: head.target.query.map { ($0.name, $0.value) },
            headers: head.fields.map { ($0.name, $0.value) }, url: ports.publicURL.map { $0 + head.target.text })
        if let reason = entrance.check(request, now: ports.surroundings.now()) { return .answer(refuse(reason)) }
        if let coding = head.field("content-encoding"), coding.lowercased() != "identity" {
            return .answer(HTTPAnswer(entrance.answer(to: .unsupportedType)))
        }
        if case .known(let count) = head.bodyLength, count > entrance.bodyLimit {
            return .answer(HTTPAnswer(entrance.answer(to: .tooLarge)))
        }
        return .receive(limit: entrance.bodyLimit) { body in
            await receive(request, body)
        }
    }

    /// What is answered when too much comes in.
    var busy: HTTPAnswer { HTTPAnswer(entrance.answer(to: .busy)) }

    private func refuse(_ reason: String) -> HTTPAnswer {
        ports.logger.info("a request was refused", ["hook": hook.id, "provider": hook.provider, "reason": reason])
        return Self.refusal
    }

    // MARK: - With the body

    private func receive(_ request: ProviderEntrance.Head, _ body: StoredBytes) async -> HTTPAnswer {
        switch await entrance.receive(request, body: body, now: ports.surroundings.now()) {
        case .keep(let delivery):
            await noteProof()
            let answer = await keep(delivery)
            if delivery.body != body { await discard(body) }
            return HTTPAnswer(answer)
        case .keepEach(let deliveries):
            await noteProof()
            let answer = await keepEach(deliveries)
            await discard(body)
            return HTTPAnswer(answer)
        case .refuse(let reason):
            await discard(body)
            return refuse(reason)
        case .answer(let answer, let log):
            await discard(body)
            ports.logger.info(
                "nothing to keep",
                ["hook": hook.id, "provider": hook.provider, "status": answer.status, "reason": log])
            return HTTPAnswer(answer)
        }
    }

    /// Answers once all of them are durable; those before a failure are known when the provider sends them again.
    private func keepEach(_ deliveries: [ProviderEntrance.KeptDelivery]) async -> ProviderAnswer {
        var answer = entrance.answer(to: .nothingUsable)
        for (index, delivery) in deliveries.enumerated() {
            answer = await keep(delivery)
            guard answer == delivery.answer else {
                for rest in deliveries.dropFirst(index + 1) { await discard(rest.body) }
                return answer
            }
        }
        return answer
    }

    /// Answers once the message is durable.
    private func keep(_ delivery: ProviderEntrance.KeptDelivery) async -> ProviderAnswer {
        do throws(StoreError) {
            let message = ReceivedMessage(
                id: ports.surroundings.makeID(), tenant: hook.tenant, route: .hook(hook.id), source: delivery.source,
                deliveryKey: delivery.key ?? ports.surroundings.makeKey(), body: delivery.body,
                envelope: delivery.envelope,
                receivedAt: ports.surroundings.now(), otherKeys: delivery.otherKeys, album: delivery.album,
                claims: delivery.claims, patience: delivery.patience, author: delivery.author,
                thread: delivery.thread, undo: delivery.undo)
            let acceptance = try await ports.sink.accept(message)
            ports.logger.debug("message accepted", ["message": acceptance.message, "repeat": acceptance.isRepeat])
            if acceptance.isRepeat { await discard(delivery.body) }
            return delivery.answer
        } catch {
            ports.logger.warning("a hook message could not be stored", ["hook": hook.id, "error": "\(error)"])
            await discard(delivery.body)
            return entrance.answer(to: .temporary)
        }
    }

    private func discard(_ body: StoredBytes) async {
        if case .inline = body.place { return }
        await ports.pool.run { ports.blobs.discard(body) }
    }
}

extension HTTPAnswer {
    fileprivate init(_ answer: ProviderAnswer) {
        var fields = answer.headers.map { Field($0.name, $0.value) }
        guard let type = answer.contentType else {
            self.init(answer.status, fields: fields + [Field("Cache-Control", "no-store")])
            return
        }
        fields = fields.filter { $0.name.lowercased() != "content-type" }
        self.init(answer.status, contentType: type, fields: fields, text: answer.body)
    }
}
