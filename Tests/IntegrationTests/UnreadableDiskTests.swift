import FoundationEssentials
import Hooks
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite("Bodies that the disk does not give", .timeLimit(.minutes(10)))
struct UnreadableDiskTests {
    /// A store whose files fail to be read.
    private struct Broken: BlobStore {
        let store: SQLiteStore
        let code: StoreError.Code

        func makeWriter() -> any BlobWriter { store.makeWriter() }
        func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { throw StoreError(code, "no bytes") }
        func discard(_ bytes: StoredBytes) { store.discard(bytes) }
    }

    /// Sends a picture and lets it be read, again and again, for `hours`; the message as it is then.
    private func read(_ code: StoreError.Code, for hours: Int) async throws -> Message {
        try await ChatStage.opened("generic") { stage in
            let token = [("Authorization", "Bearer \(stage.hookToken)"), ("Content-Type", "image/png")]
            _ = try await stage.send(token, bytes: TestPicture.png(seed: 1))
            let (store, delivery) = (stage.store, stage.delivery)
            let pool = BlockingPool(width: 1)
            let blobs = Broken(store: store, code: code)
            let splitter = Splitter(
                queue: store, quarantine: store, directory: store,
                boards: BoardCatalog(directory: store, accounts: delivery.accounts, pinry: try delivery.remote),
                reader: HookMessageReader(blobs: blobs, pool: pool), blobs: blobs, pool: pool,
                surroundings: delivery.surroundings, logger: .silent)
            for _ in 0...hours {
                for message in try await store.takeAccepted(upTo: 9, now: delivery.clock.now) {
                    await splitter.split(message)
                }
                delivery.clock.move(by: 3_600)
            }
            return try #require(try await stage.messages().first)
        }
    }

    @Test("are tried for a day, and then wait for a person")
    func patience() async throws {
        #expect(try await read(.failing, for: 23).state == .accepted)
        let parked = try await read(.failing, for: 25)
        #expect(parked.state == .parked && parked.reason?.contains("dmesg") == true && parked.body != nil)
    }

    @Test("are waited for where the disk is full, and given up at once where they are damaged")
    func others() async throws {
        #expect(try await read(.diskFull, for: 50).state == .accepted)
        #expect(try await read(.corrupt, for: 0).state == .parked)
    }
}
