import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

@Suite("The spool", .timeLimit(.minutes(10)))
struct SpoolTests {
    private let large = [UInt8](repeating: 0xAB, count: 70_000)

    private func path(of bytes: StoredBytes, in folder: String) throws -> String {
        let id = try #require(bytes.blob).rawValue
        return "\(folder)/spool/\(id.prefix(1))/\(id)"
    }

    private func age(_ path: String, seconds: Int) {
        let time = timespec(tv_sec: Int(Date.noon.timeIntervalSince1970) - seconds, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
    }

    @Test("old files without a row are removed at the start; young ones and those with a row stay")
    func sweeping() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            let (orphan, young, named) = (try store.put(large), try store.put(large), try store.put(large))
            _ = try await store.accept(
                ReceivedMessage(
                    id: makeID(), tenant: tenant.id, route: .command, source: .command, deliveryKey: [1],
                    body: named, envelope: Envelope(), receivedAt: .noon))
            age(try path(of: orphan, in: folder), seconds: 3_700)
            age(try path(of: young, in: folder), seconds: 3_500)
            age(try path(of: named, in: folder), seconds: 90_000)
            try writeFile([1], to: "\(folder)/spool/tmp/left-by-a-crash")
            await store.close()
            let again = try await SQLiteStore.open(in: folder, now: .noon)
            #expect(throws: StoreError.self) { try again.open(orphan) }
            #expect(try again.open(young).read(upTo: 1).count == 1)
            #expect(try again.open(named).read(upTo: 1).count == 1)
            #expect(TestFolder.names(in: "\(folder)/spool/tmp").isEmpty)
            await again.close()
        }
    }

    @Test("a body without a row goes when it is met a second time; others and what is being written stay")
    func sweepingAgain() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let tenant = try await store.addTenant()
            let (orphan, named, late) = (try store.put(large), try store.put(large), try store.put(large))
            func accept(_ body: StoredBytes, _ key: UInt8) async throws {
                _ = try await store.accept(
                    ReceivedMessage(
                        id: makeID(), tenant: tenant.id, route: .command, source: .command, deliveryKey: [key],
                        body: body, envelope: Envelope(), receivedAt: .noon))
            }
            try await accept(named, 1)
            for body in [orphan, named, late] { age(try path(of: body, in: folder), seconds: 90_000) }
            let writer = store.makeWriter()
            try large.withUnsafeBytes { try writer.write($0) }
            let suspects = try await store.sweepSpool([])
            #expect(try suspects == [#require(orphan.blob), #require(late.blob)])
            try await accept(late, 2)
            let young = try store.put(large)
            #expect(try await store.sweepSpool(suspects) == [#require(young.blob)])
            #expect(throws: StoreError.self) { try store.open(orphan) }
            for body in [named, late, young, try writer.finish()] {
                #expect(try store.open(body).read(upTo: 1) == [0xAB])
            }
            await store.close()
        }
    }

    @Test("bodies in the folders of an earlier version are found")
    func formerFolders() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let body = try store.put(large)
            await store.close()
            let (now, id) = (try path(of: body, in: folder), try #require(body.blob).rawValue)
            let former = "\(folder)/spool/\(id.prefix(2))"
            try #require(mkdir(former, 0o700) == 0 && rename(now, "\(former)/\(id)") == 0)
            let again = try await SQLiteStore.open(in: folder, now: .noon)
            #expect(try again.open(body).read(upTo: 1) == [0xAB])
            #expect(access(former, F_OK) != 0)
            await again.close()
        }
    }

    @Test("a writer that is dropped or discarded leaves nothing")
    func dropped() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            for isDiscarded in [true, false] {
                let writer = store.makeWriter()
                try large.withUnsafeBytes { try writer.write($0) }
                #expect(TestFolder.names(in: "\(folder)/spool/tmp").count == 1)
                if isDiscarded { writer.discard() }
            }
            #expect(TestFolder.files(below: "\(folder)/spool").isEmpty)
            await store.close()
        }
    }

    @Test("bytes in two sections are checked in both, however they are read", arguments: [nil, 5_000, 69_999])
    func sections(_ damaged: Int?) async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let writer = store.makeWriter()
            try large[..<10_000].withUnsafeBytes { try writer.write($0) }
            #expect(writer.beginSection())
            #expect(!writer.beginSection())
            try large[10_000...].withUnsafeBytes { try writer.write($0) }
            let bytes = try writer.finish()
            var text = TextHash()
            text.update(Array(large[10_000...]))
            #expect(writer.sectionDigest == text.finish())
            if let damaged { try writeFile([0], to: try path(of: bytes, in: folder), at: damaged) }
            await store.close()

            let again = try await SQLiteStore.open(in: folder, now: .noon)
            for piece in [1_000, 9_999, 10_000, 10_001, 60_000] {
                let reader = try again.open(bytes)
                _ = try reader.read(upTo: piece)
                _ = try reader.descriptor()
                var count = 0
                let read = {
                    while case let part = try reader.read(upTo: piece), !part.isEmpty { count += part.count }
                }
                if damaged == nil {
                    try read()
                    #expect(count == large.count)
                } else {
                    #expect(throws: StoreError(.corrupt, "a spool file was changed")) { try read() }
                }
            }
            await again.close()
        }
    }

    @Test("a changed, cut or missing file is damage, not content")
    func damage() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(in: folder, now: .noon)
            let bytes = try store.put(large)
            try writeFile([0], to: try path(of: bytes, in: folder), at: 5_000)
            // What this process wrote a moment ago comes from memory: only its length is compared.
            let fresh = try store.open(bytes)
            #expect(try fresh.read(upTo: 100_000).count == large.count)
            await store.close()

            let again = try await SQLiteStore.open(in: folder, now: .noon)
            let reader = try again.open(bytes)
            let error = #expect(throws: StoreError.self) {
                while try !reader.read(upTo: 10_000).isEmpty {}
            }
            #expect(error?.code == .corrupt)
            truncate(try path(of: bytes, in: folder), 60_000)
            #expect(throws: StoreError(.corrupt, "a spool file is missing or cut")) { try again.open(bytes) }
            unlink(try path(of: bytes, in: folder))
            #expect(throws: StoreError(.corrupt, "a spool file is missing or cut")) { try again.open(bytes) }
            await again.close()
        }
    }
}
