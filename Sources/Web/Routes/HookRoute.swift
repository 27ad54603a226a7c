internal import Cryptography
internal import Hooks
internal import PinpostCore

/// `POST /v1/hooks/ID`: checks the secret before the body, the body before the store, and answers after the commit.
struct HookRoute: Sendable {
    let ports: WebService.Ports
    let statuses: MessageStatuses
    private let reader = HookReader()

    init(ports: WebService.Ports, statuses: MessageStatuses) {
        self.ports = ports
        self.statuses = statuses
    }

    func open(_ head: RequestHead, hook id: String, secret: String?) async -> Opening {
        // GET never pins: previews and prefetching would trigger it.
        guard head.method == "POST" || head.method == "PUT" else { return .answer(.methodNotAllowed("POST, PUT")) }
        do throws(ProblemError) {
            let hook = try await hook(id, presenting: HookCredential.presented(by: head, secret: secret))
            let request = try HookRequest(head)
            let limit = try Self.run { () throws(HookError) in
                try reader.bodyLimit(contentType: request.contentType)
            }
            let envelope = Envelope(contentType: request.contentType, fields: Self.fields(of: head))
            return .receive(limit: limit) { body in
                await receive(body, by: hook, as: request, envelope: envelope)
            }
        } catch {
            return .answer(error.answer)
        }
    }

    /// An unknown hook and a wrong secret look alike, and take the same time.
    private func hook(_ id: String, presenting token: HookToken.Presented?) async throws(ProblemError) -> Hook {
        let hook: Hook?
        do throws(StoreError) {
            hook = try await ports.directory.hook(Hook.ID(id))
        } catch {
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
        guard token.opens(hook?.tokenHashes), let hook else {
            throw ProblemError(
                Problem(401, "There is no such hook, or its token is missing or wrong."),
                fields: [HTTPAnswer.Field("WWW-Authenticate", "Bearer")])
        }
        return hook
    }

    private static func fields(of head: RequestHead) -> [String: String] {
        Envelope.hookFields(
            query: head.target.query.lazy.map { ($0.name, $0.value) },
            headers: head.fields.lazy.map { ($0.name, $0.value) })
    }

    // MARK: - With the body

    private func receive(
        _ body: StoredBytes, by hook: Hook, as request: HookRequest, envelope: Envelope
    ) async -> HTTPAnswer {
        do throws(ProblemError) {
            try await check(body, envelope)
            let acceptance = try await accept(body, by: hook, as: request, envelope: envelope)
            if acceptance.isRepeat { await discard(body) }
            return await answer(acceptance, as: request)
        } catch {
            await discard(body)
            return error.answer
        }
    }

    /// Reads the body once and keeps nothing: what cannot be read is not stored.
    private func check(_ body: StoredBytes, _ envelope: Envelope) async throws(ProblemError) {
        if body.isInline {
            try checkNow(body, envelope)
        } else {
            try await ports.pool.run { () throws(ProblemError) in try checkNow(body, envelope) }
        }
    }

    private func checkNow(_ body: StoredBytes, _ envelope: Envelope) throws(ProblemError) {
        let stored: any BlobReader
        do throws(StoreError) {
            stored = try ports.blobs.open(body)
        } catch {
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
        try Self.run { () throws(HookError) in
            try reader.check(body: stored, envelope: envelope)
        }
    }

    private func accept(
        _ body: StoredBytes, by hook: Hook, as request: HookRequest, envelope: Envelope
    ) async throws(ProblemError) -> Acceptance {
        let message = ReceivedMessage(
            id: ports.surroundings.makeID(), tenant: hook.tenant, route: .hook(hook.id), source: .hook,
            deliveryKey: deliveryKey(hook.id, request.idempotencyKey), body: body, envelope: envelope,
            receivedAt: ports.surroundings.now())
        do throws(StoreError) {
            return try await ports.sink.accept(message)
        } catch {
            ports.logger.warning("a hook message could not be stored", ["hook": hook.id, "error": "\(error)"])
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
    }

    private func deliveryKey(_ hook: Hook.ID, _ key: String?) -> [UInt8] {
        if let key { return SHA256.hash("\(hook.rawValue)\n\(key)") }
        // By eight bytes at a time: each draw locks OpenSSL's generator.
        var random = ports.surroundings.random()
        let words = [random.next(), random.next(), random.next(), random.next()]
        return words.withUnsafeBytes { Array($0) }
    }

    private func discard(_ body: StoredBytes) async {
        guard !body.isInline else { return }
        await ports.pool.run { ports.blobs.discard(body) }
    }

    private func answer(_ acceptance: Acceptance, as request: HookRequest) async -> HTTPAnswer {
        ports.logger.debug("message accepted", ["message": acceptance.message, "repeat": acceptance.isRepeat])
        if request.wait != nil || acceptance.isRepeat {
            return await statuses.answer(acceptance.message, after: request.wait ?? .zero)
        }
        return statuses.accepted(acceptance.message)
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
