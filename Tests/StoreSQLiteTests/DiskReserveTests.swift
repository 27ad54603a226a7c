import FoundationEssentials
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import StoreSQLite

@Suite("A disk that is nearly full")
struct DiskReserveTests {
    private final class Disk: Sendable {
        let free: Atomic<Int>

        init(free: Int) { self.free = Atomic(free) }
    }

    private static let total = 100 << 30
    private static let reserve = DiskReserve.bytes

    /// What storing so many MiB fails with.
    private func failure(of use: DiskUse, in store: SQLiteStore, megabytes: Int = 3) -> StoreError? {
        let writer = store.blobs(for: use).makeWriter()
        do {
            let piece = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<megabytes { try piece.withUnsafeBytes { try writer.write($0) } }
            store.discard(try writer.finish())
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test("takes no messages first, then reads none, and always delivers; with room all goes on")
    func order() async throws {
        try await withFolder { folder in
            let disk = Disk(free: Self.reserve)
            let store = try await SQLiteStore.open(in: folder, now: .noon) {
                DiskSpace(free: disk.free.load(ordering: .relaxed), total: Self.total)
            }
            for (free, working) in [
                (Self.reserve, DiskUse.allCases), (Self.reserve - 1, [.reading, .delivering]),
                (Self.reserve / 2, [.reading, .delivering]), (Self.reserve / 2 - 1, [.delivering]), (0, [.delivering]),
                (Self.total / 2, DiskUse.allCases),
            ] {
                disk.free.store(free, ordering: .relaxed)
                for use in DiskUse.allCases {
                    let error = failure(of: use, in: store)
                    #expect((error == nil) == working.contains(use), "\(use) with \(free)")
                    if let error {
                        #expect(error.code == .diskFull && error.detail.contains("\(free >> 20) MiB"))
                    }
                }
                if working.contains(.receiving) {
                    try await store.probe()
                } else {
                    await #expect(throws: StoreError.self) { try await store.probe() }
                }
                #expect(try await store.figures().freeBytes == free)
            }
            #expect(TestFolder.names(in: "\(folder)/spool/tmp").isEmpty)
            await store.close()
        }
    }

    @Test("is noticed in the middle of a long body, and by a short one that needs no file")
    func sizes() async throws {
        try await withFolder { folder in
            let asked = Disk(free: 0)
            let store = try await SQLiteStore.open(in: folder, now: .noon) {
                // `free` counts the questions here.
                let times = asked.free.add(1, ordering: .relaxed).newValue
                return DiskSpace(free: times > 2 ? 0 : Self.total, total: Self.total)
            }
            #expect(failure(of: .receiving, in: store, megabytes: 9)?.code == .diskFull)
            let writer = store.blobs(for: .receiving).makeWriter()
            #expect(throws: StoreError.self) { try [UInt8](1...3).withUnsafeBytes { try writer.write($0) } }
            await store.close()
        }
    }

    @Test("a small disk keeps a tenth, and one whose room is unknown nothing")
    func small() async throws {
        #expect(DiskReserve.kept(of: 1 << 30, from: .receiving) == 1 << 30 / DiskReserve.part)
        try DiskReserve { nil }.check(for: .receiving)
        #expect(DiskReserve(of: "/tmp").space()?.total ?? 0 > 0)
    }
}
