import PinpostCore
import Synchronization

/// What we have asked of each host lately, and which of them are dead.
final class HostLedger: Sendable {
    private struct Host {
        var bucket: TokenBucket
        var inFlight = 0
        var failure: (error: HTTPExchangeError, until: ContinuousClock.Instant)?
    }

    enum Admission {
        case go
        case wait(Duration)
        /// It failed a moment ago.
        case failed(HTTPExchangeError)
    }

    private let manners: Manners
    private let hosts = Mutex<[String: Host]>([:])

    init(_ manners: Manners) { self.manners = manners }

    /// Asks to send one request; `go` has to be followed by `leave`.
    func admit(_ name: String, now: ContinuousClock.Instant) -> Admission {
        hosts.withLock { hosts in
            if hosts.count >= manners.rememberedHosts { forgetIdle(&hosts, now) }
            var host = hosts[name] ?? Host(bucket: manners.bucket(now))
            defer { hosts[name] = host }
            if let failure = host.failure {
                if failure.until > now { return .failed(failure.error) }
                host.failure = nil
            }
            guard host.inFlight < manners.requestsAtOnce else { return .wait(manners.look) }
            if let delay = host.bucket.take(now: now) { return .wait(delay) }
            host.inFlight += 1
            return .go
        }
    }

    /// Notes that a request has ended, and whether the host is dead.
    func leave(_ name: String, after error: HTTPExchangeError?, now: ContinuousClock.Instant) {
        hosts.withLock { hosts in
            hosts[name]?.inFlight -= 1
            if let error, error.tellsOfDeadHost { hosts[name]?.failure = (error, now + manners.memory) }
        }
    }

    private func forgetIdle(_ hosts: inout [String: Host], _ now: ContinuousClock.Instant) {
        for (name, host) in hosts where host.inFlight == 0 && (host.failure?.until ?? now) <= now {
            var bucket = host.bucket
            if bucket.isFull(now: now) { hosts[name] = nil }
        }
    }
}

/// How a guest behaves.
public struct Manners: Sendable, Hashable {
    /// Requests to one host that may be under way at the same time.
    public var requestsAtOnce = 3
    /// Requests to one host in a row before the rate counts.
    public var burst = 24
    /// Requests a second to one host.
    public var rate = 4.0
    /// How long a request may wait for its turn before it is given back.
    public var patience: Duration = .seconds(2)
    /// How long a dead host and a missing page are remembered.
    public var memory: Duration = .seconds(25)
    var look: Duration = .milliseconds(50)
    let rememberedHosts = 4_096
    let rememberedPages = 1_024

    public init() {}

    func bucket(_ now: ContinuousClock.Instant) -> TokenBucket { TokenBucket(burst: burst, perSecond: rate, now: now) }
}

extension HTTPExchangeError {
    fileprivate var tellsOfDeadHost: Bool {
        switch code {
        case .unresolvedHost, .connectFailed, .tlsFailed, .timedOut: true
        case .badURL, .refusedAddress, .connectionLost, .tooLarge, .tooManyRedirects, .localFailure, .cancelled, .busy:
            false
        }
    }
}
