internal import PinpostCore

/// Brings a database to the current schema; each step is one transaction, and a newer schema is refused.
enum Migrations {
    /// Numbered from 1; a released step never changes.
    private static let steps: [[String]] = [
        Schema1.statements,
        Schema2.statements,
        Schema3.statements,
        Schema4.statements,
        Schema5.statements,
        Schema6.statements,
        Schema7.statements,
        Schema8.statements,
        Schema9.statements,
        Schema10.statements,
        Schema11.statements,
        Schema12.statements,
        Schema13.statements,
        Schema14.statements,
        Schema15.statements,
    ]

    static var current: Int { steps.count }

    /// Does what is missing; a new database gets `instanceID` for good.
    static func run(on connection: Connection, instanceID: [UInt8]) throws(StoreError) {
        try connection.execute("CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL)")
        let version = try version(on: connection)
        guard version <= current else {
            throw StoreError(.newerSchema, "schema \(version), this Pinpost knows \(current)")
        }
        for number in version..<current { try apply(number, on: connection, instanceID) }
    }

    static func version(on connection: Connection) throws(StoreError) -> Int {
        let text = try connection.first("SELECT value FROM meta WHERE key = 'schema_version'") {
            (row: inout Row) throws(StoreError) in row.text()
        }
        guard let text else { return 0 }
        guard let version = Int(text), version > 0 else { throw StoreError(.corrupt, "no schema version") }
        return version
    }

    private static func apply(
        _ number: Int, on connection: Connection, _ instanceID: [UInt8]
    ) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            for statement in steps[number] { try connection.execute(statement) }
            try connection.run(
                "INSERT INTO meta (key, value) VALUES ('instance_id', ?) ON CONFLICT (key) DO NOTHING", instanceID)
            try connection.run(
                """
                INSERT INTO meta (key, value) VALUES ('schema_version', ?)
                ON CONFLICT (key) DO UPDATE SET value = excluded.value
                """, String(number + 1))
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }
}
