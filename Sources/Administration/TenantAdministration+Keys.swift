internal import Cryptography
internal import PinpostCore

extension TenantAdministration {
    /// Which master keys there are and how many sealed records need each one.
    public func keys() async throws(AdministrationError) -> KeysReport {
        let records = try await AdministrationError.translated { try await store.recordsPerKey() }
        let present = ring.keys.map(\.id)
        let missing = records.keys.filter { !present.contains($0) }.sorted()
        return KeysReport(
            keys: (present + missing).map { id in
                KeysReport.Key(
                    id: id, isCurrent: id == ring.current.id, isPresent: present.contains(id),
                    records: records[id] ?? 0)
            })
    }
}
