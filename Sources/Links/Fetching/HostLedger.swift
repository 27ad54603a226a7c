import PinpostCore
import Synchronization

/// What we have asked of each host lately, and which of them are dead.
///
/// Everybody's links share it, so it believes a failure only where that says something about the site: neither a slow
/// page, nor a request with little time, nor a redirect to somewhere dead may shut a host for others.
final class HostLedger: Sendable {
    private struct Host {
        var bucket: TokenBucket
        var inFlight = 0
        /// By scheme: a host without TLS is not dead for everybody.
        var doors: [String: Door] = [:]
    }

    private struct Door {
        var answeredAt: ContinuousClock.Instant?
        var failure: (error: HTTPExchangeError, until: ContinuousClock.Instant)?

        func isShut(_ now: ContinuousClock.Instant) -> Bool { failure.map { $0.until > now } ?? false }
    }

    /// One request that was let go.
    struct Visit {
        let address: WebAddress
        let start: ContinuousClock.Instant
        /// What it may take.
        let time: Duration
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
    func admit(_ address: WebAddress, now: ContinuousClock.Instant) -> Admission {
        hosts.withLock { hosts in
            if hosts.count >= manners.rememberedHosts { forgetIdle(&hosts, now) }
            var host = hosts[address.host] ?? Host(bucket: manners.bucket(now))
            defer { hosts[address.host] = host }
            if let failure = host.doors[address.scheme]?.failure {
                if failure.until > now { return .failed(failure.error) }
                host.doors[address.scheme] = nil
            }
            guard host.inFlight < manners.requestsAtOnce else { return .wait(manners.look) }
            if let delay = host.bucket.take(now: now) { return .wait(delay) }
            host.inFlight += 1
            return .go
        }
    }

    /// Notes that a request has ended, and whether nobody is behind that door.
    func leave(_ visit: Visit, after error: HTTPExchangeError?, now: ContinuousClock.Instant) {
        let (name, scheme) = (visit.address.host, visit.address.scheme)
        hosts.withLock { hosts in
            guard var host = hosts[name] else { return }
            defer { hosts[name] = host }
            host.inFlight -= 1
            guard let error, error.redirects == 0 else { return host.doors[scheme, default: Door()].answeredAt = now }
            if isDead(after: error, visit, host.doors[scheme]) {
                host.doors[scheme, default: Door()].failure = (error, now + manners.memory)
            }
        }
    }

    private func isDead(after error: HTTPExchangeError, _ visit: Visit, _ door: Door?) -> Bool {
        switch error.code {
        case .unresolvedHost, .connectFailed, .tlsFailed: return true
        case .timedOut:
            // One page that takes too long is no dead site while others are answered; nor is our own haste.
            let hasAnsweredOthers = door?.answeredAt.map { $0 >= visit.start } ?? false
            return visit.time >= manners.fairTime && !hasAnsweredOthers
        case .badURL, .refusedAddress, .connectionLost, .tooLarge, .tooManyRedirects, .localFailure, .cancelled, .busy:
            return false
        }
    }

    private func forgetIdle(_ hosts: inout [String: Host], _ now: ContinuousClock.Instant) {
        for (name, host) in hosts where host.inFlight == 0 && !host.doors.values.contains(where: { $0.isShut(now) }) {
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
    /// A request that may take less says nothing about a host that does not answer in time.
    public var fairTime: Duration = .seconds(5)
    var look: Duration = .milliseconds(50)
    let rememberedHosts = 4_096
    let rememberedPages = 1_024

    public init() {}

    func bucket(_ now: ContinuousClock.Instant) -> TokenBucket { TokenBucket(burst: burst, perSecond: rate, now: now) }
}
