import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

/// Whether this process may mount file systems: root in a container often may not.
private let mayMount: Bool = {
    guard let folder = try? TestFolder("mount"), mount("tmpfs", folder.path, "tmpfs", 0, "size=1m") == 0 else {
        return false
    }
    return umount(folder.path) == 0
}()

@Suite("A full disk", .timeLimit(.minutes(10)), .enabled(if: mayMount, "only root may mount a small disk"))
struct FullDiskTests {
    private func withDisk(_ body: (String) async throws -> Void) async throws {
        try await withFolder { folder in
            try #require(mount("tmpfs", folder, "tmpfs", 0, "size=3m,mode=0700") == 0)
            do { try await body(folder) } catch {
                umount2(folder, CInt(MNT_DETACH))
                throw error
            }
            umount2(folder, CInt(MNT_DETACH))
        }
    }

    @Test("refuses messages, loses none that were accepted, and goes on when there is room again")
    func refusing() async throws {
        try await withDisk { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            var accepted: [Message.ID] = []
            let ballast = "\(folder)/ballast"
            try writeFile([UInt8](repeating: 1, count: 1 << 20), to: ballast)
            var failure: StoreError?
            for number in 0..<2_000 where failure == nil {
                let text = "\(number) " + String(repeating: "x", count: 3_000)
                do { accepted.append(try await store.accept(text, of: tenant)) } catch {
                    failure = error as? StoreError
                }
            }
            #expect(failure?.code == .diskFull)
            #expect(!accepted.isEmpty)
            // Again and again: the connection stays in order.
            for number in 0..<5 {
                await #expect(throws: StoreError(.diskFull)) {
                    _ = try await store.accept("again \(number) " + String(repeating: "x", count: 9_000), of: tenant)
                }
            }
            #expect(throws: StoreError(.diskFull)) { try store.put([UInt8](repeating: 1, count: 2 << 20)) }
            await #expect(throws: StoreError.self) { try await store.probe() }
            #expect(TestFolder.names(in: "\(folder)/spool/tmp").isEmpty)
            unlink(ballast)
            try await store.probe()
            accepted.append(try await store.accept("after", of: tenant))
            await store.abandon()
            let again = try await SQLiteStore.open(in: folder, now: .noon)
            for id in accepted { #expect(try await again.message(id) != nil) }
            #expect(try await again.messages(of: tenant.id, newest: 5_000).count == accepted.count)
            await again.close()
        }
    }

    @Test("shows in the probe although a small write would still fit")
    func probe() async throws {
        try await withDisk { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            for _ in 0..<3 { try await store.probe() }
            try writeFile([UInt8](repeating: 1, count: 2 << 20), to: "\(folder)/ballast")
            await #expect(throws: StoreError(.diskFull)) { try await store.probe() }
            unlink("\(folder)/ballast")
            try await store.probe()
            await store.close()
        }
    }

    @Test("everybody in a commit that fails is told so, and nothing of it is stored")
    func failedCommit() async throws {
        try await withDisk { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            try writeFile([UInt8](repeating: 1, count: 2 << 20), to: "\(folder)/ballast")
            let accepted = await withTaskGroup(of: Message.ID?.self) { group in
                for number in 0..<300 {
                    let text = "\(number) " + String(repeating: "x", count: 20_000)
                    group.addTask { try? await store.accept(text, of: tenant) }
                }
                return await group.reduce(into: Set<Message.ID>()) { if let id = $1 { $0.insert(id) } }
            }
            #expect(accepted.count < 300)
            let stored = try await store.messages(of: tenant.id, newest: 500).map(\.id)
            #expect(Set(stored) == accepted)
            await store.abandon()
        }
    }

    @Test("a disk that is mounted read-only is refused with the remedy")
    func readOnly() async throws {
        try await withDisk { folder in
            try #require(mount("tmpfs", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0)
            let error = await openingError(in: folder)
            #expect(error?.code == .unusable)
            #expect(error?.detail.contains("Mount it writable") == true)
        }
    }
}
