public import PinpostCore

extension SQLiteStore {
    /// Removes the bodies among `suspects` that no row names, and says which others none names at this moment.
    ///
    /// A body that is stored and not yet committed looks the same: whoever calls again with what he was told, an hour
    /// later, hits none of these, whatever the clock does. What is still being written has no place here yet.
    public func sweepSpool(_ suspects: Set<Blob.ID>) async throws(StoreError) -> Set<Blob.ID> {
        var found: Set<Blob.ID> = []
        let folders = await files.run { [spool] in spool.folders }
        for folder in folders {
            let unnamed = try await unnamed(await files.run { [spool] in spool.files(in: folder) })
            let orphans = unnamed.filter(suspects.contains)
            await files.run { [spool] in for id in orphans { spool.remove(id) } }
            found.formUnion(unnamed)
            found.subtract(orphans)
        }
        return found
    }

    /// Others read in between.
    private func unnamed(_ ids: [Blob.ID]) async throws(StoreError) -> [Blob.ID] {
        var unnamed: [Blob.ID] = []
        for start in stride(from: 0, to: ids.count, by: 500) {
            let some = ids[start..<min(start + 500, ids.count)]
            unnamed += try await readers.read { (connection) throws(StoreError) in
                var unnamed: [Blob.ID] = []
                for id in some where try !connection.names(id) { unnamed.append(id) }
                return unnamed
            }
        }
        return unnamed
    }
}
