internal import Cryptography
internal import Hooks
internal import PinpostCore

/// A named provider's requests: its proof, its answers, its codes; the hook is known already.
struct ProviderRoute: Sendable {
    let ports: WebService.Ports
    let hook: Hook
    let entrance: ProviderEntrance

    /// What a wrong token gets, whatever was wrong: no hint, and the same as for an unknown hook.
    static let refusal = Problem(401, "There is no such hook, or its token is missing or wrong.")
        .answer(fields: [HTTPAnswer.Field("WWW-Authenticate", "Bearer")])

    func open(_ head: RequestHead, presenting token: HookToken.Presented?) -> Opening {
        guard entrance.methods.contains(head.method) else {
            return .answer(.methodNotAllowed(entrance.methods.joined(separator: ", ")))
        }
        guard !entrance.needsToken(head.method) || token.opens(hook.tokenHashes) else { return .answer(Self.refusal) }
        let request = ProviderEntrance.Head(
            method: head.method, query: head.target.query.map { ($0.name, $0.value) },
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

    private func refuse(_ reason: String) -> HTTPAnswer {
        ports.logger.info("a request was refused", ["hook": hook.id, "provider": hook.provider, "reason": reason])
        return Self.refusal
    }

    // MARK: - With the body

    private func receive(_ request: ProviderEntrance.Head, _ body: StoredBytes) async -> HTTPAnswer {
        switch await entrance.receive(request, body: body, now: ports.surroundings.now()) {
        case .keep(let delivery): return await keep(delivery, body)
        case .refuse(let reason):
            await discard(body)
            return refuse(reason)
        case .answer(let answer, let log):
            await discard(body)
            ports.logger.info(
                "nothing to keep",
                ["hook": hook.id, "provider": hook.provider, "status": answer.status, "reason": log])
            return HTTPAnswer(answer)
        case .undo(let undo):
            await discard(body)
            return HTTPAnswer(await self.undo(undo))
        }
    }

    /// Answers once the message is durable.
    private func keep(_ delivery: ProviderEntrance.KeptDelivery, _ body: StoredBytes) async -> HTTPAnswer {
        let message = ReceivedMessage(
            id: ports.surroundings.makeID(), tenant: hook.tenant, route: .hook(hook.id), source: delivery.source,
            deliveryKey: delivery.key ?? randomKey(), body: delivery.body, envelope: delivery.envelope,
            receivedAt: ports.surroundings.now(), otherKeys: delivery.otherKeys, album: delivery.album)
        let isCutOut = delivery.body != body
        do throws(StoreError) {
            let acceptance = try await ports.sink.accept(message)
            ports.logger.debug("message accepted", ["message": acceptance.message, "repeat": acceptance.isRepeat])
            if acceptance.isRepeat { await discard(delivery.body) }
            if isCutOut { await discard(body) }
            return HTTPAnswer(delivery.answer)
        } catch {
            ports.logger.warning("a hook message could not be stored", ["hook": hook.id, "error": "\(error)"])
            await discard(delivery.body)
            if isCutOut { await discard(body) }
            return HTTPAnswer(entrance.answer(to: .temporary))
        }
    }

    private func undo(_ undo: UndoRequest) async -> ProviderAnswer {
        guard let takeBack = ports.undo else {
            return await entrance.answer(to: undo, text: "Undo is not available here.", isDone: true)
        }
        let result = await takeBack.undo(undo.message, by: hook)
        ports.logger.info("undo", ["hook": hook.id, "message": undo.message, "result": result.text])
        return await entrance.answer(to: undo, text: result.text, isDone: result.isDone)
    }

    private func randomKey() -> [UInt8] {
        var random = ports.surroundings.random()
        return (0..<4).flatMap { _ in withUnsafeBytes(of: random.next(), Array.init) }
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
