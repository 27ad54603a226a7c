import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@testable import StoreSQLite

extension Date {
    static let noon = Date(timeIntervalSince1970: 1_750_000_000)
}

func makeID<Subject>() -> Identifier<Subject> {
    var random = SystemRandom()
    return .random(using: &random)
}

/// Runs `body` with an empty folder and removes it afterwards, whatever mode it has got.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = try TestFolder("sqlite")
    try await body(folder.path)
    withExtendedLifetime(folder) {}
}

func mode(of path: String) -> mode_t? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts.st_mode & 0o777 : nil
}

func writeFile(_ bytes: [UInt8], to path: String, at offset: off_t = 0) throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    #expect(pwrite(file, bytes, bytes.count, offset) == bytes.count)
}

func readFile(_ path: String) -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &piece, piece.count)
        guard count > 0 else { return bytes }
        bytes += piece.prefix(count)
    }
}

extension SQLiteStore {
    @discardableResult
    func addTenant(_ slug: String = "ada") async throws -> Tenant {
        let server = Server(id: makeID(), baseURL: "https://\(slug).example")
        let tenant = Tenant(id: makeID(), slug: slug, server: server.id, createdAt: .noon)
        try await add(tenant, on: server)
        return tenant
    }

    func put(_ bytes: [UInt8]) throws -> StoredBytes {
        let writer = makeWriter()
        try bytes.withUnsafeBytes { try writer.write($0) }
        return try writer.finish()
    }

    func accept(_ text: String, of tenant: Tenant) async throws -> Message.ID {
        try await accept(
            ReceivedMessage(
                id: makeID(), tenant: tenant.id, route: .command, source: .command, deliveryKey: SHA256.hash(text),
                body: StoredBytes(
                    place: .inline(Array(text.utf8)), count: text.utf8.count, sha256: SHA256.hash(text)),
                envelope: Envelope(), receivedAt: .noon)
        ).message
    }
}

/// The error of opening a store that must not open.
func openingError(in folder: String) async -> StoreError? {
    do {
        let store = try await SQLiteStore.open(in: folder, now: .noon)
        await store.abandon()
        return nil
    } catch {
        return error
    }
}
