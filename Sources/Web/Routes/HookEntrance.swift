internal import Cryptography
internal import Hooks
internal import PinpostCore

/// `/v1/hooks/ID`: finds the hook once, counts the request, and hands it to the route of its kind.
struct HookEntrance: Sendable {
    private let ports: WebService.Ports
    private let limiter: RequestLimiter
    private let generic: HookRoute
    private let uses = HookUses()

    init(ports: WebService.Ports, statuses: MessageStatuses, limiter: RequestLimiter) {
        self.ports = ports
        self.limiter = limiter
        generic = HookRoute(ports: ports, statuses: statuses, limiter: limiter)
    }

    /// Behind the id stand our token, where the sender cannot send it otherwise, and what some providers add.
    func open(_ head: RequestHead, hook id: String, behind segments: [String]) async -> Opening {
        do throws(ProblemError) {
            let now = ports.surroundings.now()
            try limiter.admit(head, at: now)
            let hook = try await hook(id)
            if let hook, hook.provider != Hook.generic {
                // A provider that this Pinpost does not know has no proof that could be checked.
                guard hook.settings.isCurrent(at: now), let entrance = ports.providers?.entrance(of: hook) else {
                    throw ProblemError(ProviderRoute.refusal)
                }
                return counting(refusalsOf: head, await openProvider(head, entrance, of: hook, behind: segments))
            }
            // A provider that this Pinpost does not know has no proof that could be checked.
            guard hook?.provider ?? Hook.generic == Hook.generic else { return .answer(ProviderRoute.refusal) }
            guard segments.count <= 1 else { return .answer(WebService.nothing) }
            let secret = segments.first
            let token = HookCredential.presented(by: head, secret: secret)
            let opening = await generic.open(head, hook: hook, presenting: token, secret: secret)
            guard let hook, case .receive = opening else { return counting(refusalsOf: head, opening) }
            let place = try limiter.beginBody(of: hook, head)
            await noteUse(of: hook)
            return counting(refusalsOf: head, holding(place, opening))
        } catch {
            return .answer(error.answer)
        }
    }

    private func hook(_ id: String) async throws(ProblemError) -> Hook? {
        do throws(StoreError) {
            return try await ports.directory.hook(Hook.ID(id))
        } catch {
            throw ProblemError(Problem(error), fields: error.retryFields)
        }
    }

    /// A provider that would drop what is refused now is told to wait only where its own address sends too much.
    private func openProvider(
        _ head: RequestHead, _ entrance: ProviderEntrance, of hook: Hook, behind segments: [String]
    ) async -> Opening {
        let policy: RequestLimiter.Policy = entrance.resends ? .refuse : .queue
        let proof: RequestLimiter.Proof = entrance.isProven(beforeBodyOf: head.method) ? .given : .awaited
        let route = ProviderRoute(ports: ports, hook: hook, entrance: entrance) {
            guard proof == .awaited else { return }
            limiter.noteProof(hook, policy, at: ports.surroundings.now())
            await noteUse(of: hook)
        }
        let opening = route.open(head, behind: segments)
        guard case .receive = opening else { return opening }
        do throws(ProblemError) {
            try await limiter.admit(hook, head.bodyLength, policy, proof, at: ports.surroundings.now())
            let place = try limiter.beginBody(of: hook, head, policy, proof)
            if proof == .given { await noteUse(of: hook) }
            return holding(place, opening)
        } catch {
            return .answer(route.busy)
        }
    }

    /// Keeps a place for the body until it is here or its client has left.
    private func holding(_ place: RequestLimiter.BodyPlace, _ opening: Opening) -> Opening {
        guard case .receive(let limit, let then) = opening else { return opening }
        return .receive(limit: limit) { body in
            place.end()
            return await then(body)
        }
    }

    /// Remembers the minute in which a hook took something.
    private func noteUse(of hook: Hook) async {
        let now = ports.surroundings.now()
        guard uses.isNew(hook.id, at: now) else { return }
        do throws(StoreError) {
            try await ports.directory.noteUse(of: hook.id, at: now)
        } catch {
            // The message itself will show that the store is in trouble.
            ports.logger.debug("the use of a hook was not noted", ["hook": hook.id])
        }
    }

    /// Counts wrong tokens and wrong signatures, also those that only the body shows.
    private func counting(refusalsOf head: RequestHead, _ opening: Opening) -> Opening {
        switch opening {
        case .answer(let answer): return .answer(counted(answer, head))
        case .receive(let limit, let then):
            return .receive(limit: limit) { body in counted(await then(body), head) }
        }
    }

    private func counted(_ answer: HTTPAnswer, _ head: RequestHead) -> HTTPAnswer {
        answer.status == 401 ? limiter.refuse(head, with: answer, at: ports.surroundings.now()) : answer
    }
}
