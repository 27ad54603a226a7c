import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import Testing

/// More than fits into a row, in an uneven size.
let largePicture = (0..<200_003).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

extension BlobStore {
    /// Stores bytes in pieces of 7,777.
    func put(_ bytes: [UInt8]) throws -> StoredBytes {
        let writer = makeWriter()
        for start in stride(from: 0, to: bytes.count, by: 7_777) {
            try bytes[start..<min(start + 7_777, bytes.count)].withUnsafeBytes { try writer.write($0) }
        }
        return try writer.finish()
    }

    func contents(of bytes: StoredBytes) throws -> [UInt8] {
        let reader = try open(bytes)
        var contents: [UInt8] = []
        while true {
            let piece = try reader.read(upTo: 10_000)
            if piece.isEmpty { return contents }
            contents += piece
        }
    }
}

@Suite("Stored bytes", .timeLimit(.minutes(10)))
struct BlobTests {
    @Test(
        "up to 64 KiB stay in the row, one more goes to a place of its own",
        arguments: StoreBackend.allCases, [0, 1, 64 * 1024, 64 * 1024 + 1])
    func places(_ backend: StoreBackend, _ count: Int) async throws {
        try await backend.withStore { test in
            let bytes = Array(largePicture.prefix(count))
            let stored = try test.store.put(bytes)
            if case .inline = stored.place { #expect(count <= 64 * 1024) } else { #expect(count > 64 * 1024) }
            #expect(stored.count == count)
            #expect(stored.sha256 == SHA256.hash(bytes))
            #expect(try test.store.contents(of: stored) == bytes)
        }
    }

    @Test("a descriptor holds exactly the bytes, from the start", arguments: StoreBackend.allCases, [5_000, 200_003])
    func descriptor(_ backend: StoreBackend, _ count: Int) async throws {
        try await backend.withStore { test in
            let bytes = Array(largePicture.prefix(count))
            let reader = try test.store.open(try test.store.put(bytes))
            #expect(try reader.read(upTo: 100) == Array(bytes.prefix(100)))
            let descriptor = try reader.descriptor()
            var copy = [UInt8](repeating: 0, count: count + 1)
            #expect(pread(descriptor, &copy, count + 1, 0) == count)
            #expect(Array(copy.prefix(count)) == bytes)
            #expect(lseek(descriptor, 0, SEEK_CUR) == 0)
            withExtendedLifetime(reader) {}
        }
    }

    @Test("discarded bytes are gone", arguments: StoreBackend.allCases)
    func discarded(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let stored = try test.store.put(largePicture)
            test.store.discard(stored)
            #expect(throws: StoreError.self) { try test.store.open(stored) }
        }
    }

    @Test("two equal bodies share nothing", arguments: StoreBackend.allCases)
    func unshared(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (first, second) = (try test.store.put(largePicture), try test.store.put(largePicture))
            test.store.discard(first)
            #expect(try test.store.contents(of: second) == largePicture)
        }
    }
}
