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
        /// The answer is known already, and waits for the rest of a small body.
        case draining(since: ContinuousClock.Instant, HTTPAnswer)
        /// We are at work; the client waits.
        case busy
        case answering(since: ContinuousClock.Instant)
        /// The answer was sent past the library, and is the last; what still comes is thrown away, because a closed socket
        /// would answer it with a reset, and some clients lose what they have not read yet.
        case lingering(since: ContinuousClock.Instant)
        case cut
    }

    private struct State {
        var stage: Stage
        /// The last sweep found that the client has ended its side.
        var sawEnd = false
    }

    let peer: PeerAddress
    private let socket: CInt
    private let state: Mutex<State>

    init(socket: CInt, peer: PeerAddress) {
        self.socket = socket
        self.peer = peer
        state = Mutex(State(stage: .head(since: .now)))
    }

    /// Moves on; false when the sweep has answered or cut the connection in the meantime.
    func enter(_ next: Stage) -> Bool {
        state.withLock { state in
            switch state.stage {
            case .cut, .lingering: return false
            default:
                state = State(stage: next)
                return true
            }
        }
    }

    func noteBody(_ count: Int) {
        state.withLock { state in
            guard case .body(let since, let received) = state.stage else { return }
            state = State(stage: .body(since: since, received: received + count))
        }
    }

    /// Answers in the middle of a body, where the library cannot, and lets the client read it.
    func refuseBody(with answer: HTTPAnswer) -> Bool {
        state.withLock { state in
            guard case .body = state.stage else { return false }
            end(&state, with: answer)
            return true
        }
    }

    /// Cuts the connection if its time is over, or if the client has left.
    func sweep(at now: ContinuousClock.Instant, limits: ListenerLimits) {
        state.withLock { state in
            switch state.stage {
            case .idle(let since) where now - since > limits.idleDeadline: cut(&state)
            case .head(let since) where now - since > limits.headDeadline:
                end(&state, with: Problem(408, "The head of the request took too long.").answer())
            case .body(let since, let received) where limits.isTooSlow(received, after: now - since):
                end(&state, with: Problem(408, "The body of the request came too slowly.").answer())
            case .draining(let since, let answer) where now - since > limits.drainDeadline: end(&state, with: answer)
            case .answering(let since) where now - since > limits.answerDeadline: cut(&state)
            case .lingering(let since) where now - since > limits.lingerDeadline: cut(&state)
            case .idle, .head, .body, .draining, .lingering: cutIfLeft(&state)
            case .busy, .answering, .cut: break
            }
        }
    }

    /// How long it has been waiting for its client with nothing of a request that is to be taken; nil otherwise.
    func waitingTime(at now: ContinuousClock.Instant) -> Duration? {
        state.withLock { state in
            switch state.stage {
            case .idle(let since), .head(let since), .draining(let since, _), .lingering(let since): now - since
            case .body, .busy, .answering, .cut: nil
            }
        }
    }

    /// Leaves its place to another; one that reads a refused body to its end for politeness answers before.
    func giveWay() {
        state.withLock { state in
            switch state.stage {
            case .draining(_, let answer):
                end(&state, with: answer)
                cut(&state)
            case .idle, .head, .lingering: cut(&state)
            case .body, .busy, .answering, .cut: break
            }
        }
    }

    /// Closes a connection that waits for a request, and only such a one.
    func cutIfIdle() {
        state.withLock { state in
            switch state.stage {
            case .idle, .head: cut(&state)
            default: break
            }
        }
    }

    /// The library misses the end of a stream that arrives together with the last bytes (0.9.75 with epoll).
    ///
    /// Nothing moved from one sweep to the next, and nothing will: what is left is to tell the library.
    private func cutIfLeft(_ state: inout State) {
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, CInt(MSG_PEEK | MSG_DONTWAIT)) == 0 else { return }
        if state.sawEnd { cut(&state) } else { state.sawEnd = true }
    }

    private func cut(_ state: inout State) {
        // The library notices that both directions are shut and closes the socket itself.
        shutdown(socket, CInt(SHUT_RDWR))
        state.stage = .cut
    }

    /// Says the last that is said here; what the client still sends is read until it leaves.
    ///
    /// Best effort: nothing else is being sent at these moments, and the answer fits into an empty socket buffer.
    private func end(_ state: inout State, with answer: HTTPAnswer) {
        let bytes = answer.wireForm()
        _ = Glibc.send(socket, bytes, bytes.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
        shutdown(socket, CInt(SHUT_WR))
        state = State(stage: .lingering(since: .now))
    }
}

extension ListenerLimits {
    func isTooSlow(_ received: Int, after time: Duration) -> Bool {
        if time > bodyDeadline { return true }
        guard time > bodyGrace else { return false }
        return Double(received) < (time - bodyGrace) / .seconds(1) * Double(bodyRate)
    }
}
