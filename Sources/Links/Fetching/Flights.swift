import PinpostCore
import Synchronization

/// One request for each address at a time: whoever asks for the same meanwhile gets the same answer.
final class Flights: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPExchangeError>

    /// Who waits for the flight of an address; the one that flies is not among them.
    private let waiting = Mutex<[String: [CheckedContinuation<Outcome?, Never>]]>([:])

    /// Flies, or waits for the flight under way; one that its own asker ended is flown again before `deadline`.
    func run(
        _ key: String, until deadline: ContinuousClock.Instant, _ body: () async -> Outcome
    ) async -> Outcome {
        while true {
            if let landed = await join(key) {
                // The one that flew was stopped for reasons of its own, or had less time than we have.
                if case .failure(let error) = landed, error.code == .cancelled || error.code == .timedOut,
                    !Task.isCancelled, ContinuousClock.now < deadline
                {
                    continue
                }
                return landed
            }
            let outcome = await body()
            for follower in waiting.withLock({ $0.removeValue(forKey: key) ?? [] }) {
                follower.resume(returning: outcome)
            }
            return outcome
        }
    }

    /// Waits for the flight under way; nil when there is none and the caller has to fly.
    private func join(_ key: String) async -> Outcome? {
        await withCheckedContinuation { continuation in
            let isFirst = waiting.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(continuation)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFirst { continuation.resume(returning: nil) }
        }
    }
}
