import PinpostCore
import Synchronization
import Testing

@testable import PinpostApp

@Suite("The sweeper of the spool", .timeLimit(.minutes(10)))
struct SpoolSweeperTests {
    @Test("asks again and again, each time about what nobody named the last time")
    func again() async throws {
        let asked = Mutex<[Set<Blob.ID>]>([])
        let shutdown = Shutdown()
        let sweeper = SpoolSweeper(
            sweep: { suspects throws(StoreError) in
                let count = asked.withLock { asked in
                    asked.append(suspects)
                    return asked.count
                }
                if count == 2 { throw StoreError(.unavailable) }
                if count == 4 { shutdown.request() }
                return [Blob.ID("\(count)")]
            }, logger: .silent, interval: .milliseconds(1))
        try await sweeper.run(until: shutdown)
        // A failure forgets nobody.
        #expect(asked.withLock { $0 } == [[], ["1"], ["1"], ["3"]].map { Set($0.map { Blob.ID($0) }) })
    }
}
