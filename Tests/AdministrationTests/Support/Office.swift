import Administration
import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import StoreSQLite

/// Administration over a real store in a folder of its own.
struct Office: Sendable {
    let administration: TenantAdministration
    let store: any AdministeredStore
    let pinry: StandInPinry

    static let noon = Date(timeIntervalSince1970: 1_750_000_000)

    /// Runs `body` in an office where `ada` and `bob` have accounts; the folder goes afterwards.
    static func open(_ body: (Office) async throws -> Void) async throws {
        var random = SystemRandom()
        let folder = "\(temporaryFolder)/pinpost-office-\(Identifier<Office>.random(using: &random))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await SQLiteStore.open(in: folder, now: noon)
        let loaded = try KeyRing.load(from: KeySources(dataFolder: folder), checkValues: [:], using: &random)
        let pinry = StandInPinry()
        pinry.admit(.init(username: "ada", boards: [.trips, .diary]), token: "ada-token")
        pinry.admit(.init(username: "bob"), token: "bob-token")
        guard let addressing = MailAddressing(mailAddress: "pins@example.org") else { return }
        let administration = TenantAdministration(
            store: store, pinry: pinry, keeper: Vault(ring: loaded.ring, instanceID: try await store.instanceID()),
            ring: loaded.ring, names: PublicNames(publicURL: "https://pins.example", addressing: addressing),
            now: { noon })
        do {
            try await body(Office(administration: administration, store: store, pinry: pinry))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static var temporaryFolder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Adds `ada` as a person would.
    @discardableResult
    func addAda(board: String? = nil) async throws -> TenantReport {
        try await administration.add(.ada(board: board))
    }
}

extension Board {
    static let trips = Board(id: BoardID(1), name: "Trips", isPrivate: false)
    static let diary = Board(id: BoardID(2), name: "Diary", isPrivate: true)
}

extension NewTenant {
    static func ada(token: String? = "ada-token", board: String? = nil) -> NewTenant {
        NewTenant(
            slug: "ada", server: "HTTP://Pinry.Example:80//", token: token.map { Secret(copying: Array($0.utf8)) },
            board: board.map { BoardChoice($0) })
    }
}
