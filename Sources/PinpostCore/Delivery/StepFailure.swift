public import FoundationEssentials

/// What a failed attempt means for the item, for its tenant and for the server.
public struct StepFailure: Error, Sendable, Hashable {
    public enum Effect: Sendable, Hashable {
        case retry(after: TimeInterval?)
        case reconcile
        case uploadAgain
        /// The server takes no picture of more bytes than these.
        case makeSmaller(serverTakes: Int)
        case park
        /// The whole tenant, until a person acts.
        case stopTenant
        /// The whole server, at once; the attempt does not count.
        case pauseServer(for: TimeInterval?)
        /// After so many seconds; the attempt does not count.
        case wait(TimeInterval)
        /// Shutdown or lost lease: as if it had not been tried.
        case giveBack
    }

    public let effect: Effect
    public let reason: String
    /// Whether the breaker counts it.
    public let isServerFailure: Bool

    public init(_ effect: Effect, _ reason: String, isServerFailure: Bool = false) {
        self.effect = effect
        self.reason = reason
        self.isServerFailure = isServerFailure
    }
}

extension StepFailure {
    /// Where an item goes that has to take an earlier step once more.
    var wayBack: (step: Item.Step, facts: StepFacts)? {
        switch effect {
        case .uploadAgain: (.upload, .imageLost)
        case .makeSmaller(let bytes): (.prepare, .tooLarge(serverTakes: bytes))
        default: nil
        }
    }

    public init(_ error: PinryError) {
        let effect: Effect =
            switch error.remedy {
            case .stopTenant: .stopTenant
            case .pauseServer: .pauseServer(for: nil)
            case .parkItem: .park
            case .uploadAgain: .uploadAgain
            case .reconcile: .reconcile
            case .retry: error.code == .rateLimited ? .pauseServer(for: error.retryAfter ?? 60) : .retry(after: nil)
            }
        let counts = error.code == .serverFailed || error.code == .unreachable || error.code == .answerLost
        self.init(effect, error.description, isServerFailure: counts)
    }

    public init(_ error: MediaError) {
        self.init(error.isTransient ? .retry(after: nil) : .park, error.description)
    }

    /// What a host that we have asked enough is left alone, in seconds.
    private static let politePause: TimeInterval = 5

    public init(_ error: LinkError) {
        if error.code == .busy {
            self.init(.wait(Self.politePause), error.detail)
            return
        }
        let mayPass = error.code == .failed || error.code == .unavailable
        self.init(mayPass ? .retry(after: nil) : .park, error.detail)
    }

    /// Anything else, our own store and vault included: a full disk passes, a secret that does not open does not.
    public init(other error: any Error) {
        switch error {
        case let failure as StepFailure: self = failure
        case let error as PinryError: self.init(error)
        case let error as MediaError: self.init(error)
        case let error as LinkError: self.init(error)
        case let error as VaultError: self.init(.stopTenant, error.description)
        case let error as StoreError where error.isTransient: self.init(.retry(after: nil), error.description)
        case is CancellationError: self.init(.giveBack, "stopped")
        default: self.init(.park, String(describing: error))
        }
    }
}
