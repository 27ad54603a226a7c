internal import PinpostCore

/// Changes of records that somebody else may change at the same time.
enum Contention {
    private static let mostAttempts = 10

    /// Begins anew as long as somebody else was faster, which `attempt` tells by nil.
    static func resolve<Result>(
        _ attempt: () async throws(AdministrationError) -> Result?
    ) async throws(AdministrationError) -> Result {
        for _ in 0..<mostAttempts {
            if let result = try await attempt() { return result }
        }
        throw .refused("Somebody else changes this all the time; try again.")
    }

    /// Applies a change to a record as it is at the moment of storing.
    ///
    /// `store` puts the first record in the place of the second, and says whether that one was still there.
    static func change<Record>(
        _ read: () async throws(AdministrationError) -> Record,
        _ apply: (inout Record) throws(AdministrationError) -> Void,
        store: (Record, Record) async throws(StoreError) -> Bool
    ) async throws(AdministrationError) -> Record {
        try await resolve { () async throws(AdministrationError) in
            let old = try await read()
            var new = old
            try apply(&new)
            let isStored: Bool
            do throws(StoreError) { isStored = try await store(new, old) } catch { throw .store(error) }
            return isStored ? new : nil
        }
    }
}
