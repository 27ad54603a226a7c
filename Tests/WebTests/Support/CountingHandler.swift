import PinpostCore
import Synchronization
import Web

/// Ties an object to each request, and knows how many of them are still alive.
final class CountingHandler: RequestHandler {
    private let counts = Counts()

    var made: Int { counts.made.load(ordering: .relaxed) }
    var alive: Int { counts.alive.load(ordering: .relaxed) }

    func open(_ head: RequestHead) async -> Opening {
        let companion = Companion(counts)
        return .receive(limit: 1_000) { _ in
            await Task.yield()
            return companion.answer
        }
    }

    private final class Counts: Sendable {
        let made = Atomic(0)
        let alive = Atomic(0)
    }

    private final class Companion: Sendable {
        private let counts: Counts

        init(_ counts: Counts) {
            self.counts = counts
            counts.made.add(1, ordering: .relaxed)
            counts.alive.add(1, ordering: .relaxed)
        }

        deinit { counts.alive.subtract(1, ordering: .relaxed) }

        var answer: HTTPAnswer { HTTPAnswer(200) }
    }
}
