import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import StoreSQLite

/// Accepts messages of one tenant as fast as it can and prints the id of each one that the store has confirmed, until
/// somebody kills it: a test does, in the middle of commits.
@main
enum StoreVictim {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        let store = try await SQLiteStore.open(in: arguments[1], now: .now)
        let tenant = Tenant.ID(arguments[2])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { try await acceptForever(store, tenant) } }
            try await group.next()
        }
    }

    private static func acceptForever(_ store: SQLiteStore, _ tenant: Tenant.ID) async throws {
        let files = BlockingPool(width: 1)
        var number = 0
        while true {
            number += 1
            let id = newID()
            // Every eighth body goes to the spool.
            let size = number % 8 == 0 ? 70_000 : 500
            let content = Array(String(repeating: id.rawValue, count: size / 26).utf8)
            let body = try await files.run { () throws(StoreError) in
                let writer = store.makeWriter()
                var failure: StoreError?
                content.withUnsafeBytes { bytes in
                    do throws(StoreError) { try writer.write(bytes) } catch { failure = error }
                }
                if let failure { throw failure }
                return try writer.finish()
            }
            let message = ReceivedMessage(
                id: id, tenant: tenant, route: .command, source: .command, deliveryKey: SHA256.hash(id.rawValue),
                body: body, envelope: Envelope(), receivedAt: .now)
            _ = try await store.accept(message)
            confirm(id)
        }
    }

    private static func newID() -> Message.ID {
        var random = SystemRandom()
        return .random(using: &random)
    }

    /// One short write to a pipe: whole, or not at all.
    private static func confirm(_ id: Message.ID) {
        let line = Array("\(id)\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(74) }
    }
}
