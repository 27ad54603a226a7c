import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

/// Every port at once: what the suite asks of a store.
typealias Store = BlobStore & DeliveryQueue & MailboxDirectory & MailboxState & MessageHistory & MessageSink
    & PictureHabits & PinMemory & Quarantine & Registry & ReplyGate & ReplyQueue & SplitQueue & TenantDirectory
    & UndoRecord

/// The stores that must behave alike.
enum StoreBackend: CaseIterable, CustomTestStringConvertible {
    case sqlite

    var testDescription: String {
        switch self {
        case .sqlite: "SQLite"
        }
    }

    /// Runs `body` on a new, empty store and removes it afterwards.
    func withStore(
        at now: Date = .noon, _ body: (inout StoreUnderTest) async throws -> Void
    ) async throws {
        var store = try await StoreUnderTest(backend: self, now: now)
        do {
            try await body(&store)
            await store.remove()
        } catch {
            await store.remove()
            throw error
        }
    }
}

/// A store with the means to crash it and open it again.
struct StoreUnderTest {
    /// How long a pin stays in doubt after a crash, in seconds.
    static let quiet: TimeInterval = 60

    private(set) var store: any Store
    private var sqlite: SQLiteStore
    private let place: TestFolder
    var folder: String { place.path }

    var messagesArrived: Signal { sqlite.messagesArrived }
    var itemsArrived: Signal { sqlite.itemsArrived }

    fileprivate init(backend: StoreBackend, now: Date) async throws {
        place = try TestFolder("store")
        let folder = place.path
        switch backend {
        case .sqlite:
            sqlite = try await SQLiteStore.open(in: folder, now: now, quiet: Self.quiet)
            store = sqlite
        }
    }

    /// Drops the process's state without any tidying, and starts again on what is on the disk.
    mutating func crash(reopenAt now: Date) async throws {
        await sqlite.abandon()
        sqlite = try await SQLiteStore.open(in: folder, now: now, quiet: Self.quiet)
        store = sqlite
    }

    /// Ends in good order, and starts again.
    mutating func restart(at now: Date) async throws {
        await sqlite.close()
        sqlite = try await SQLiteStore.open(in: folder, now: now, quiet: Self.quiet)
        store = sqlite
    }

    /// The folder goes with the last copy.
    fileprivate func remove() async { await sqlite.abandon() }
}
