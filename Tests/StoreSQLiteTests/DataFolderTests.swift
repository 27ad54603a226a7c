import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

@Suite("The data folder", .timeLimit(.minutes(10)))
struct DataFolderTests {
    @Test("is made with everything in it readable by us alone")
    func made() async throws {
        try await withFolder { folder in
            let path = "\(folder)/data"
            let store = try await SQLiteStore.open(in: path, now: .noon)
            let tenant = try await store.addTenant()
            _ = try await store.accept("body", of: tenant)
            _ = try store.put([UInt8](repeating: 1, count: 100_000))
            #expect(mode(of: path) == 0o700)
            let all = TestFolder.files(below: path)
            #expect(all.count >= 4)
            for file in all { #expect(mode(of: file) == 0o600, "\(file)") }
            await store.close()
        }
    }

    @Test("belongs to one process at a time, and is free again afterwards")
    func lock() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let error = await openingError(in: folder)
            #expect(error?.code == .locked)
            await store.close()
            #expect(await openingError(in: folder) == nil)
        }
    }

    @Test("a closed store refuses work instead of losing it")
    func closed() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            await store.close()
            await #expect(throws: StoreError(.unavailable, "the store is closed")) {
                _ = try await store.accept("late", of: tenant)
            }
            await #expect(throws: StoreError(.unavailable, "the store is closed")) { _ = try await store.tenants() }
        }
    }

    @Test("open to others is refused with the command that helps", arguments: [mode_t(0o755), 0o750, 0o707])
    func openFolder(_ mode: mode_t) async throws {
        try await withFolder { folder in
            chmod(folder, mode)
            let error = await openingError(in: folder)
            #expect(error?.code == .unusable)
            #expect(error?.detail.contains("chmod 700 '\(folder)'") == true)
        }
    }

    @Test("of another user is refused", .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func foreign() async throws {
        try await withFolder { folder in
            chown(folder, 12_345, 0)
            let error = await openingError(in: folder)
            #expect(error?.code == .unusable)
            #expect(error?.detail.contains("belongs to user 12345") == true)
        }
    }

    @Test("that is a file, or whose parent is missing, is refused")
    func noFolder() async throws {
        try await withFolder { folder in
            try writeFile([1], to: "\(folder)/file")
            #expect(await openingError(in: "\(folder)/file")?.code == .unusable)
            let error = await openingError(in: "\(folder)/missing/data")
            #expect(error?.code == .unusable)
            #expect(error?.detail.contains("PINPOST_DATA") == true)
        }
    }

    @Test("with the data of a newer version is refused and left alone")
    func newerSchema() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            _ = try await store.writer.write { (transaction) throws(StoreError) in
                try transaction.connection.run("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
            }
            await store.close()
            let before = readFile("\(folder)/pinpost.db")
            let error = await openingError(in: folder)
            #expect(error?.code == .newerSchema)
            #expect(error?.detail.contains("99") == true)
            #expect(readFile("\(folder)/pinpost.db") == before)
        }
    }

    @Test("with a database that is none is refused as damaged", arguments: [0, 20])
    func damaged(_ offset: Int) async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            await store.close()
            try writeFile([UInt8](repeating: 0x55, count: 4_096), to: "\(folder)/pinpost.db", at: off_t(offset))
            #expect(await openingError(in: folder)?.code == .corrupt)
        }
    }
}
