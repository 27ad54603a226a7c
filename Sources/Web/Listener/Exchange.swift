internal import CMicrohttpd
internal import PinpostCore

/// One request from its first line to the end of its answer.
///
/// `@unchecked Sendable` is safe: `phase` belongs to the library's thread, and to the one running step while the
/// connection is suspended; `Handoff` orders the two.
final class Exchange: @unchecked Sendable {
    private enum Phase {
        /// Nothing but the request line is known.
        case head
        case opened(Opening)
        case receiving(Reception)
        /// Whatever still comes of the body is thrown away, then the answer goes out.
        case answering(HTTPAnswer)
        /// The answer went out past the library; there will be no other.
        case refused
    }

    private let core: ListenerCore
    private let connection: Connection
    private let handle: OpaquePointer
    private let handoff: Handoff
    private let target: String
    private var phase = Phase.head
    private var drainLimit = 0

    init(_ core: ListenerCore, connection: Connection, handle: OpaquePointer, target: String) {
        self.core = core
        self.connection = connection
        self.handle = handle
        self.target = target
        handoff = Handoff(handle)
        _ = connection.enter(.head(since: .now))
    }

    /// A call without bytes: after the head, after a step, and at the end.
    ///
    /// False closes the connection.
    func proceed(method: String, version: String) -> Bool {
        switch phase {
        case .head: begin(method: method, version: version)
        case .opened(let opening): apply(opening)
        case .receiving(let reception): complete(reception)
        case .answering(let answer): queue(answer)
        case .refused: false
        }
    }

    /// A call with bytes of the body; all of them are taken.
    ///
    /// False closes the connection.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        connection.noteBody(bytes.count)
        switch phase {
        case .receiving(let reception):
            guard reception.take(bytes) else { return refuse(Self.tooLarge(reception.limit)) }
            if reception.wantsToWrite { write(reception) }
            return true
        case .answering:
            drainLimit -= bytes.count
            return drainLimit >= 0
        case .refused: return true
        case .head, .opened: return false
        }
    }

    /// The last call: the answer is out, or the connection broke.
    func end() {
        if case .receiving(let reception) = phase { reception.discard() }
        _ = connection.enter(.idle(since: .now))
    }

    /// A step is under way and the connection suspended: nothing may be taken in.
    var isWaiting: Bool { handoff.isWaiting }

    func cancel() { handoff.cancel() }

    // MARK: - Steps

    private func begin(method: String, version: String) -> Bool {
        let candidate = RequestGate.Candidate(
            method: method, target: target, version: version, fields: HeaderFields.read(from: handle),
            peer: connection.peer.text)
        do throws(RequestGate.Refusal) {
            let head = try core.gate.admit(candidate)
            guard connection.enter(.busy) else { return false }
            drainLimit = head.drainLimit(core.limits)
            let isOver = handoff.run { self.decide(await self.core.handler.open(head), head) }
            return isOver ? proceed(method: method, version: version) : true
        } catch {
            return queue(Problem(error.status, error.reason).answer())
        }
    }

    /// A declared length over the limit is refused before anything is read.
    private func decide(_ opening: Opening, _ head: RequestHead) {
        if case .receive(let limit, _) = opening, case .known(let length) = head.bodyLength, length > limit {
            drainLimit = -1
            phase = .opened(.answer(Self.tooLarge(limit)))
        } else {
            phase = .opened(opening)
        }
    }

    private func apply(_ opening: Opening) -> Bool {
        switch opening {
        case .answer(let answer):
            // Answering now makes the library close the connection: only right where the body is not worth reading.
            if drainLimit < 0 { return queue(answer) }
            guard connection.enter(.draining(since: .now, answer)) else { return false }
            phase = .answering(answer)
        case .receive(let limit, let then):
            guard connection.enter(.body(since: .now, received: 0)) else { return false }
            phase = .receiving(
                Reception(limit: limit, into: core.blobs, on: core.pool, sharing: core.blocks, then: then))
        }
        return true
    }

    private func write(_ reception: Reception) {
        _ = handoff.run {
            do throws(StoreError) {
                try await reception.write()
            } catch {
                reception.discard()
                _ = self.refuse(Problem(error).answer(fields: error.retryFields))
            }
        }
    }

    private func complete(_ reception: Reception) -> Bool {
        guard connection.enter(.busy) else { return false }
        let isOver = handoff.run { self.phase = .answering(await reception.complete()) }
        guard isOver, case .answering(let answer) = phase else { return true }
        return queue(answer)
    }

    private func refuse(_ answer: HTTPAnswer) -> Bool {
        if case .receiving(let reception) = phase { reception.discard() }
        phase = .refused
        return connection.refuseBody(with: answer)
    }

    private func queue(_ answer: HTTPAnswer) -> Bool {
        guard connection.enter(.answering(since: .now)) else { return false }
        return answer.queue(on: handle, closing: core.isDraining)
    }

    static func tooLarge(_ limit: Int) -> HTTPAnswer {
        Problem(413, "The body is over the limit of \(ByteCount.text(limit)).").answer()
    }
}

extension RequestHead {
    /// How much of a refused body is read so that the connection can go on; negative: none, close it.
    fileprivate func drainLimit(_ limits: ListenerLimits) -> Int {
        switch bodyLength {
        case .none: 0
        case .known(let length): length <= limits.drainBytes && !expectsContinue ? limits.drainBytes : -1
        case .chunked: -1
        }
    }
}
