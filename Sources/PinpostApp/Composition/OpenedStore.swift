import Cryptography
import FoundationEssentials
import PinpostCore
import StoreSQLite

/// The data folder under its lock, with the keys that open its secrets.
struct OpenedStore: Sendable {
    let store: SQLiteStore
    let ring: KeyRing
    let vault: Vault
    /// What the admin has to be told about the keys.
    let notice: String?

    /// Opens the folder; a master key that is missing or wrong stops here, before anything is served.
    static func open(_ configuration: Configuration, now: Date) async throws -> OpenedStore {
        if configuration.data.isStandard {
            // A failure shows when the folder itself is made.
            try? FileManager.default.createDirectory(
                atPath: configuration.data.parent, withIntermediateDirectories: true)
        }
        let store = try await SQLiteStore.open(
            in: configuration.data.folder, now: now, quiet: configuration.pinry.quiet)
        do {
            let loaded = try await loadKeys(configuration.keys, of: store)
            let vault = Vault(ring: loaded.ring, instanceID: try await store.instanceID())
            return OpenedStore(store: store, ring: loaded.ring, vault: vault, notice: loaded.notice)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func loadKeys(_ sources: KeySources, of store: SQLiteStore) async throws -> LoadedKeyRing {
        let checkValues = try await store.keyCheckValues()
        let needed = Set(try await store.recordsPerKey().keys)
        // A key file is read and perhaps written: not on Swift's own threads.
        let loaded = try await BlockingPool(width: 1).run { () throws(VaultError) in
            var random = SystemRandom()
            return try KeyRing.load(from: sources, checkValues: checkValues, needed: needed, using: &random)
        }
        for key in loaded.ring.unknown(to: checkValues) {
            try await store.addKeyCheckValue(key.checkValue, for: key.id)
        }
        return loaded
    }
}
