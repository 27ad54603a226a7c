internal import Glibc
internal import Synchronization

/// One TCP connection: where it stands, since when, and how it is cut from outside the library.
final class Connection: Sendable {
    /// What the connection is doing; the sweep compares the times with the limits.
    enum Stage {
        /// Before a request line; nothing is owed but patience.
        case idle(since: ContinuousClock.Instant)
        case head(since: ContinuousClock.Instant)
        case body(since: ContinuousClock.Instant, received: Int)
        /// We are at work; the client waits.
        case busy
        case answering(since: ContinuousClock.Instant)
        /// The answer was sent past the library, the rest of the body is thrown away.
        case lingering(since: ContinuousClock.Instant)
        case cut
    }

    let peer: PeerAddress
    private let socket: CInt
    private let stage: Mutex<Stage>

    init(socket: CInt, peer: PeerAddress) {
        self.socket = socket
        self.peer = peer
        stage = Mutex(.head(since: .now))
    }

    /// Moves on; false when the sweep has cut the connection in the meantime.
    func enter(_ next: Stage) -> Bool {
        stage.withLock { stage in
            if case .cut = stage { return false }
            stage = next
            return true
        }
    }

    func noteBody(_ count: Int) {
        stage.withLock { stage in
            if case .body(let since, let received) = stage { stage = .body(since: since, received: received + count) }
        }
    }

    /// Answers in the middle of a body, where the library cannot, and lets the client read it.
    func refuseBody(with answer: HTTPAnswer) -> Bool {
        stage.withLock { stage in
            guard case .body = stage else { return false }
            send(answer)
            stage = .lingering(since: .now)
            return true
        }
    }

    /// Cuts the connection if its time is over.
    func sweep(at now: ContinuousClock.Instant, limits: ListenerLimits) {
        stage.withLock { stage in
            switch stage {
            case .idle(let since) where now - since > limits.idleDeadline: cut(&stage)
            case .head(let since) where now - since > limits.headDeadline:
                cut(&stage, saying: "The head of the request took too long.")
            case .body(let since, let received) where limits.isTooSlow(received, after: now - since):
                cut(&stage, saying: "The body of the request came too slowly.")
            case .answering(let since) where now - since > limits.answerDeadline: cut(&stage)
            case .lingering(let since) where now - since > limits.lingerDeadline: cut(&stage)
            default: break
            }
        }
    }

    /// How long it has been waiting for a request; nil while one is under way.
    func idleTime(at now: ContinuousClock.Instant) -> Duration? {
        stage.withLock { stage in
            switch stage {
            case .idle(let since), .head(let since): now - since
            default: nil
            }
        }
    }

    /// Closes a connection that waits for a request, and only such a one.
    func cutIfIdle() {
        stage.withLock { stage in
            switch stage {
            case .idle, .head: cut(&stage)
            default: break
            }
        }
    }

    private func cut(_ stage: inout Stage, saying reason: String? = nil) {
        if let reason { send(Problem(408, reason).answer()) }
        // The library notices the end of the stream and closes the socket itself.
        Glibc.shutdown(socket, CInt(SHUT_RDWR))
        stage = .cut
    }

    /// Best effort: nothing else is being sent at these moments, and the answer fits into an empty socket buffer.
    private func send(_ answer: HTTPAnswer) {
        let bytes = answer.wireForm()
        _ = Glibc.send(socket, bytes, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
}

extension ListenerLimits {
    func isTooSlow(_ received: Int, after time: Duration) -> Bool {
        if time > bodyDeadline { return true }
        guard time > bodyGrace else { return false }
        return Double(received) < (time - bodyGrace) / .seconds(1) * Double(bodyRate)
    }
}
