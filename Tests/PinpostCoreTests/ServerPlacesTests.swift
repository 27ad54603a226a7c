import Synchronization
import Testing

@testable import PinpostCore

@Suite("Places at a server", .timeLimit(.minutes(10)))
struct ServerPlacesTests {
    private final class Count: Sendable {
        private let state = Mutex((now: 0, most: 0, all: 0))

        var result: (now: Int, most: Int, all: Int) { state.withLock { $0 } }

        func enter() {
            state.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
                state.all += 1
            }
        }

        func leave() { state.withLock { $0.now -= 1 } }
    }

    @Test("no more is under way than the server's limit, and everybody's turn comes", arguments: [0, 1, 3])
    func limit(_ limit: Int) async throws {
        let (places, count) = (ServerPlaces(), Count())
        let server = Server(id: .init("s"), baseURL: "https://s.example", maxInFlight: limit)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await places.run(for: server) {
                        count.enter()
                        for _ in 0..<5 { await Task.yield() }
                        count.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        let result = count.result
        #expect(result.all == 20 && result.now == 0 && (1...max(limit, 1)).contains(result.most))
    }

    @Test("another server's places are free")
    func others() async throws {
        let places = ServerPlaces()
        let servers = ["a", "b"].map { Server(id: .init($0), baseURL: "https://\($0).example") }
        let isDone = try await places.run(for: servers[0]) { try await places.run(for: servers[1]) { true } }
        #expect(isDone)
    }
}
