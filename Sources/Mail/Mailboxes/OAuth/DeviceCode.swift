public import FoundationEssentials
public import PinpostCore

/// What a person types on another machine (RFC 8628 section 3.2).
public struct DeviceCode: Sendable {
    public let userCode: String
    public let page: String
    /// Redeemed once the person has agreed.
    public let secret: Secret
    /// Seconds between questions.
    public let interval: TimeInterval
    /// Seconds until it is of no use any more.
    public let lifetime: TimeInterval

    public init(userCode: String, page: String, secret: Secret, interval: TimeInterval, lifetime: TimeInterval) {
        self.userCode = userCode
        self.page = page
        self.secret = secret
        self.interval = interval
        self.lifetime = lifetime
    }

    /// What the token endpoint says while the person is typing.
    public enum Verdict: String, Sendable, Codable {
        case granted, pending
        /// As `pending`, and five seconds more between questions from now on.
        case slowDown
    }

    /// Asks until the person has agreed (RFC 8628 section 3.5); throws `.loginRefused` when the code has run out.
    public func wait<Failure: Error>(
        sleep: (TimeInterval) async throws -> Void, ask: () async throws(Failure) -> Verdict
    ) async throws {
        var (pause, spent) = (min(max(interval, 1), 60), TimeInterval(0))
        while true {
            try await sleep(pause)
            spent += pause
            switch try await ask() {
            case .granted: return
            case .pending: break
            case .slowDown: pause += 5
            }
            guard spent < lifetime else { throw IMAPError(.loginRefused, "Nobody agreed in time; begin again.") }
        }
    }
}

/// The answer of a device endpoint; Google says `verification_url`.
struct DeviceAnswer: Decodable {
    var device_code: String?
    var user_code: String?
    var verification_uri: String?
    var verification_url: String?
    var expires_in: LenientSeconds?
    var interval: LenientSeconds?
}
