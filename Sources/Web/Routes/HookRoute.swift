internal import Cryptography
internal import Hooks
internal import PinpostCore

/// `POST /v1/hooks/ID`: checks the secret before the body, the body before the store, and answers after the commit.
struct HookRoute: Sendable {
    let ports: WebService.Ports
    let statuses: MessageStatuses
    let limiter: RequestLimiter
    /// The keys whose requests are being received: a second request with one of them has to wait (409).
    private let keys = UnderWayTable<[UInt8]>(upTo: 1)
    /// The requests that wait for their pins, by hook.
    private let waits: UnderWayTable<Hook.ID>

    init(ports: WebService.Ports, statuses: MessageStatuses, limiter: RequestLimiter) {
        self.ports = ports
        self.statuses = statuses
        self.limiter = limiter
        waits = UnderWayTable(upTo: ports.limits.waitsPerHook)
    }

    /// `hook` is nil for an unknown one, which looks and takes as long as a wrong token.
    func open(
        _ head: RequestHead, hook: Hook?, presenting token: HookToken.Presented?, secret: String?
    ) async -> Opening {
        // GET never pins: previews and prefetching would trigger it.
        guard head.method == "POST" || head.method == "PUT" else { return .answer(.methodNotAllowed("POST, PUT")) }
        let now = ports.surroundings.now()
        guard token.opens(hook?.tokenHashes(at: now)), let hook else { return .answer(ProviderRoute.refusal) }
        do throws(ProblemError) {
            guard token.opens(hook.tokenHashes(for: .send, at: now)) else {
                throw ProblemError(
                    Problem(403, "This token is not for sending; it only tells what became of messages."))
            }
            let request = try HookRequest(head)
            try await limiter.admit(hook, head.bodyLength, at: now)
            let limit = try Self.run { () throws(HookError) in
                try HookReader().bodyLimit(contentType: request.contentType)
            }
            let envelope = Envelope(
                contentType: request.contentType, fields: Self.fields(of: head), mapping: hook.settings.mapping)
            let key = try begin(request.idempotencyKey, of: hook)
            return .receive(limit: limit) { body in
                let answer = await receive(body, by: hook, as: request, key, envelope: envelope)
                return request.isNavigation ? statuses.page(of: answer, secret: secret) : answer
            }
        } catch {
            return .answer(error.answer)
        }
    }

    /// Takes the key until the message is durable or the client has left.
    private func begin(_ key: String?, of hook: Hook) throws(ProblemError) -> UnderWay<[UInt8]>? {
        guard let key else { return nil }
        guard let begun = keys.begin(DeliveryKey.of(hook.id, idempotencyKey: key)) else {
            throw ProblemError(
                Problem(409, "A request with this Idempotency-Key is being received. Try again when it is answered."),
                fields: [HTTPAnswer.Field("Retry-After", "1")])
        }
        return begun
    }

    private static func fields(of head: RequestHead) -> [String: String] {
        Envelope.hookFields(
            query: head.target.query.lazy.map { ($0.name, $0.value) },
            headers: head.fields.lazy.map { ($0.name, $0.value) })
    }

    // MARK: - With the body

    private func receive(
        _ body: StoredBytes, by hook: Hook, as request: HookRequest, _ key: UnderWay<[UInt8]>?, envelope: Envelope
    ) async -> HTTPAnswer {
        do throws(ProblemError) {
            let checked = try await check(body, envelope, isKeyed: key != nil)
            let acceptance = try await accept(body, by: hook, key, envelope: checked.envelope)
            // The message is durable: from now on the store knows the key.
            key?.end()
            if acceptance.isRepeat {
                await discard(body)
            } else {
                limiter.charge(hook.tenant, items: checked.items, at: ports.surroundings.now())
            }
            return await answer(acceptance, by: hook, as: request)
        } catch {
            await discard(body)
            // Before the answer: whoever has read it may use the key at once.
            key?.end()
            return error.answer
        }
    }

    /// What was found out about a body before it is accepted.
    private struct Checked: Sendable {
        var items: Int
        /// With the fingerprint, where the sender gave a key.
        var envelope: Envelope
    }

    /// Reads the body once and keeps nothing: what cannot be read is not stored.
    private func check(
        _ body: StoredBytes, _ envelope: Envelope, isKeyed: Bool
    ) async throws(ProblemError) -> Checked {
        guard body.isInline else {
            return try await ports.pool.run { () throws(ProblemError) in
                try checkNow(body, envelope, isKeyed: isKeyed)
            }
        }
        return try checkNow(body, envelope, isKeyed: isKeyed)
    }

    private func checkNow(_ body: StoredBytes, _ envelope: Envelope, isKeyed: Bool) throws(ProblemError) -> Checked {
        let stored: any BlobReader
        do throws(StoreError) {
            stored = try ports.blobs.open(body)
        } catch {
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
        return try Self.run { () throws(HookError) in
            let reader = try HookReader(for: envelope)
            var checked = Checked(items: try reader.check(body: stored, envelope: envelope), envelope: envelope)
            guard isKeyed else { return checked }
            let content = try reader.content(of: body, as: envelope.contentType) { () throws(StoreError) in
                try ports.blobs.open(body)
            }
            checked.envelope.fingerprint = DeliveryKey.fingerprint(content, envelope.fields)
            return checked
        }
    }

    private func accept(
        _ body: StoredBytes, by hook: Hook, _ key: UnderWay<[UInt8]>?, envelope: Envelope
    ) async throws(ProblemError) -> Acceptance {
        let message = ReceivedMessage(
            id: ports.surroundings.makeID(), tenant: hook.tenant, route: .hook(hook.id), source: .hook,
            deliveryKey: key?.key ?? ports.surroundings.makeKey(), body: body, envelope: envelope,
            receivedAt: ports.surroundings.now())
        let acceptance: Acceptance
        var first: Message?
        do throws(StoreError) {
            acceptance = try await ports.sink.accept(message)
            if acceptance.isRepeat { first = try await ports.history.message(acceptance.message) }
        } catch {
            ports.logger.warning("a hook message could not be stored", ["hook": hook.id, "error": "\(error)"])
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
        if let earlier = first?.envelope.fingerprint, earlier != envelope.fingerprint {
            throw ProblemError(
                Problem(422, "This Idempotency-Key came with another request before. Use a new key for a new request."))
        }
        return acceptance
    }

    private func discard(_ body: StoredBytes) async {
        guard !body.isInline else { return }
        await ports.pool.run { ports.blobs.discard(body) }
    }

    /// Over its share of waiting requests, a hook is answered at once: the message is durable.
    private func answer(_ acceptance: Acceptance, by hook: Hook, as request: HookRequest) async -> HTTPAnswer {
        ports.logger.debug("message accepted", ["message": acceptance.message, "repeat": acceptance.isRepeat])
        var answer =
            if let wait = request.wait, let place = waits.begin(hook.id) {
                await statuses.answer(acceptance.message, after: wait, holding: place)
            } else {
                statuses.accepted(acceptance.message)
            }
        // A repeat is answered like the first request, but not in silence.
        if acceptance.isRepeat { answer.fields.append(HTTPAnswer.Field("Idempotent-Replayed", "true")) }
        return answer
    }

    private static func run<Result>(_ body: () throws(HookError) -> Result) throws(ProblemError) -> Result {
        do throws(HookError) { return try body() } catch { throw ProblemError(error) }
    }
}

extension StoredBytes {
    /// In the row: reading it blocks nobody.
    fileprivate var isInline: Bool {
        if case .inline = place { true } else { false }
    }
}

extension ProblemError {
    /// What the sender can do about his payload.
    fileprivate init(_ error: HookError) {
        switch error.code {
        case .malformed: self.init(Problem(400, error.description, extensions: Self.position(error.position)))
        case .tooLarge: self.init(Problem(413, error.description))
        case .nothingUsable: self.init(Problem(422, error.description))
        case .unavailable: self.init(Problem(StoreError(.unavailable)), fields: StoreError(.unavailable).retryFields)
        case .unsupportedType:
            let types = HookReader.acceptedTypes
            let list = "[" + types.map(JSONText.quote).joined(separator: ",") + "]"
            self.init(
                Problem(415, error.description, extensions: [("accepted", list)]),
                fields: [HTTPAnswer.Field("Accept-Post", types.joined(separator: ", "))])
        }
    }

    private static func position(_ position: HookError.Position?) -> [(name: String, json: String)] {
        guard let position else { return [] }
        let json = "{\"byte\":\(position.byte),\"line\":\(position.line),\"column\":\(position.column)}"
        return [("position", json)]
    }
}
