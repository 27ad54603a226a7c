internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// A named provider's hook, as the web route sees it.
public struct ProviderEntrance: Sendable {
    let provider: any Provider
    let hook: Hook
    let desk: ProviderDesk

    /// The head of a request.
    public struct Head: Sendable {
        public var method: String
        /// The segments of the path behind the hook's own address.
        public var path: [String]
        public var query: [(name: String, value: String)]
        /// Names in lower case.
        public var headers: [(name: String, value: String)]
        /// The address that the provider was given, made from our configuration.
        public var url: String?

        public init(
            method: String, path: [String] = [], query: [(name: String, value: String)],
            headers: [(name: String, value: String)], url: String?
        ) {
            self.method = method
            self.path = path
            self.query = query
            self.headers = headers
            self.url = url
        }

        var contentType: String? { headers.first { $0.name == "content-type" }?.value }
    }

    /// What the route has to do with a request.
    public enum Reception: Sendable {
        /// Answer as to a wrong token; the words are for the log.
        case refuse(String)
        case answer(ProviderAnswer, log: String)
        /// Store it, then answer.
        case keep(KeptDelivery)
        /// Store all of them, then answer as the first says; the body itself is not needed any more.
        case keepEach([KeptDelivery])
    }

    /// A delivery that is to be stored.
    public struct KeptDelivery: Sendable {
        public let source: Source
        /// The body as received, or the mail that was cut out of it.
        public let body: StoredBytes
        /// Equal keys are the same delivery; nil where nothing identifies it.
        public let key: [UInt8]?
        public let otherKeys: [[UInt8]]
        public let album: AlbumPlace?
        public let claims: [[UInt8]]
        public let patience: Double
        /// Whose it is; equal ones are one person in one chat.
        public let author: [UInt8]?
        /// The thread in that chat.
        public let thread: [UInt8]?
        /// What it takes back; nil for a delivery that brings something.
        public let undo: UndoTarget?
        public let envelope: Envelope
        public let answer: ProviderAnswer
    }

    public var methods: [String] { provider.methods }
    public var bodyLimit: Int { provider.bodyLimit }
    /// Whether `.busy` may be answered: it sends again later.
    public var resends: Bool { provider.resends }

    /// Whether the provider may add that to the address it was given.
    public func serves(_ path: [String]) -> Bool { provider.serves(path) }

    /// Whether our own hook token has to be presented.
    public func needsToken(_ method: String) -> Bool {
        let isReplaced = provider.secretReplacesToken && hook.secret != nil
        return provider.proof(of: method).needsToken && !isReplaced
    }

    /// Whether the head alone shows that a request is the provider's, or of somebody who knows our token.
    public func isProven(beforeBodyOf method: String) -> Bool {
        needsToken(method) || provider.proof(of: method).scheme?.isInHead == true
    }

    /// Refuses before the body where the head alone shows that the request is not the provider's.
    public func check(_ head: Head, now: Date) -> String? {
        guard let scheme = provider.proof(of: head.method).scheme, scheme.isInHead else { return nil }
        do {
            _ = try verify(scheme, head, [], access: desk.access(to: hook), now: now)
            return nil
        } catch {
            return String(describing: error)
        }
    }

    /// What is answered where the request cannot be taken.
    public func answer(to failure: ProviderFailure) -> ProviderAnswer { provider.answer(to: failure) }

    private func verify(
        _ scheme: SignatureScheme, _ head: Head, _ body: [UInt8], access: ProviderAccess, now: Date
    ) throws(SignatureRefusal) -> VerifiedDelivery {
        guard let secret = access.secret else { throw SignatureRefusal(.secretUnusable, "The hook has no secret.") }
        let request = SignedRequest(
            headers: head.headers.map { SignedRequest.Header($0.name, $0.value) }, body: body, url: head.url)
        return try scheme.check(secret: secret, format: provider.signatureFormat(access.settings))
            .verify(request, now: now)
    }
}

extension ProviderEntrance {
    /// Judges a whole request; the body stays the caller's unless `.keep` names it.
    public func receive(_ head: Head, body: StoredBytes, now: Date) async -> Reception {
        let access: ProviderAccess
        do throws(VaultError) { access = try desk.access(to: hook) } catch {
            return .answer(provider.answer(to: .temporary), log: error.description)
        }
        do throws(HookError) {
            return try await judged(head, body, access, now: now)
        } catch {
            return .answer(provider.answer(to: ProviderFailure(error)), log: error.description)
        }
    }

    private func judged(
        _ head: Head, _ body: StoredBytes, _ access: ProviderAccess, now: Date
    ) async throws(HookError) -> Reception {
        let delivery = StoredDelivery(
            contentType: head.contentType, hook: hook.id, bytesLimit: provider.bodyLimit
        ) { [blobs = desk.blobs] () throws(StoreError) in try blobs.open(body) }
        if let answer = provider.answer(toProbe: delivery, of: body.count) { return .answer(answer, log: "a probe") }
        var request = ProviderRequest(
            method: head.method, path: head.path, query: head.query, headers: head.headers, body: delivery,
            verified: nil, access: access, receivedAt: now, blobs: desk.blobs)
        if let scheme = provider.proof(of: head.method).scheme {
            do {
                request.verified = try await blocking { [request] () throws -> VerifiedDelivery in
                    try verify(scheme, head, request.body.bytes(), access: access, now: now)
                }
            } catch let error as HookError {
                throw error
            } catch {
                return .refuse(String(describing: error))
            }
        }
        if let inquiry = try provider.inquiry(about: request) {
            do throws(ProviderError) { request.fetched = try await desk.answer(to: inquiry, now: now) } catch {
                return .answer(provider.answer(to: .temporary), log: error.detail)
            }
        }
        let verdict = try await blocking { [request] () throws(HookError) in try provider.receive(request) }
        return try await reception(of: verdict, request, body)
    }

    /// Small bodies lie in memory: reading them blocks nobody.
    private func blocking<Result: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await desk.pool.run(work)
    }

    private func reception(
        of verdict: ProviderVerdict, _ request: ProviderRequest, _ body: StoredBytes
    ) async throws(HookError) -> Reception {
        switch verdict {
        case .answer(let answer, let log): return .answer(answer, log: log)
        case .refuse(let log): return .refuse(log)
        case .answerAfter(let calls, let answer, let log):
            for call in calls {
                do throws(ProviderError) {
                    let response = try await desk.send(call)
                    guard (200..<300).contains(response.status) else {
                        return .answer(provider.answer(to: .temporary), log: "the provider answered \(response.status)")
                    }
                } catch {
                    return .answer(provider.answer(to: .temporary), log: error.detail)
                }
            }
            return .answer(answer, log: log)
        case .accept(let delivery, let answer):
            return .keep(try kept(delivery, request, body: body, answer: answer))
        case .acceptEach(let parts, let answer): return .keepEach(try await kept(parts, request, answer))
        case .acceptMail(let mail, let delivery, let answer):
            return .keep(try kept(delivery, request, body: mail.mime, mail: mail, answer: answer))
        }
    }

    private func kept(
        _ parts: [ProviderVerdict.Part], _ request: ProviderRequest, _ answer: ProviderAnswer
    ) async throws(HookError) -> [KeptDelivery] {
        var kept: [KeptDelivery] = []
        for part in parts {
            let body: StoredBytes
            do throws(StoreError) {
                body = try await desk.pool.run { [blobs = desk.blobs] () throws(StoreError) in
                    try blobs.store(part.body)
                }
            } catch {
                throw HookError(.unavailable, "A part of the body cannot be stored now.")
            }
            kept.append(
                try self.kept(part.delivery, request, body: body, contentType: "application/json", answer: answer))
        }
        return kept
    }

    private func kept(
        _ delivery: ProviderVerdict.Delivery, _ request: ProviderRequest, body: StoredBytes,
        mail: ProviderVerdict.ReceivedMail? = nil, contentType: String? = nil, answer: ProviderAnswer
    ) throws(HookError) -> KeptDelivery {
        var envelope = Envelope(
            recipient: mail?.recipient, boardSlug: delivery.boardSlug, sender: mail?.sender,
            contentType: contentType ?? request.body.contentType, fields: delivery.fields,
            mapping: delivery.isPayload ? request.access.settings.mapping : nil,
            provider: delivery.isPayload ? nil : provider.name)
        envelope.fields[StoredDelivery.noFiles] = provider.obstacle(toFilesWith: request.access)
        envelope.reply = try delivery.reply.map { target throws(HookError) in try sealed(target) }
        let keys = HookKeys(hook: hook.id)
        if delivery.undo != nil { envelope.undo = UndoOrder(message: nil) }
        return KeptDelivery(
            source: mail == nil ? .hook : .mail, body: body,
            key: (delivery.id ?? request.verified?.id).map(keys.delivery),
            otherKeys: delivery.otherIDs.map(keys.delivery),
            album: delivery.group.map {
                AlbumPlace(key: keys.album($0.key), position: $0.position, total: $0.total)
            }, claims: delivery.claims.map(keys.delivery), patience: delivery.patience,
            // What takes back is nothing that could be taken back.
            author: delivery.undo == nil ? delivery.author.map(keys.author) : nil,
            thread: delivery.thread.map(keys.thread), undo: keys.target(of: delivery), envelope: envelope,
            answer: answer)
    }

    private func sealed(_ target: ReplyTarget) throws(HookError) -> ReplyAddress {
        do throws(VaultError) {
            let key = try target.key.map { key throws(VaultError) in
                try desk.keeper.seal(key, for: .replyKey, of: hook.tenant)
            }
            return ReplyAddress(fields: target.fields, key: key)
        } catch {
            throw HookError(.unavailable, error.description)
        }
    }
}

extension ProviderFailure {
    init(_ error: HookError) {
        switch error.code {
        case .malformed: self = .malformed
        case .unsupportedType: self = .unsupportedType
        case .tooLarge: self = .tooLarge
        case .nothingUsable: self = .nothingUsable
        case .unavailable: self = .temporary
        }
    }
}
