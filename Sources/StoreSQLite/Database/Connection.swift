internal import CSQLite
internal import PinpostCore

/// Owns one SQLite connection and its prepared statements; one thread at a time.
final class Connection {
    enum Mode {
        /// The one connection that writes and checkpoints: SQLite 3.40 may lose data when two do.
        case writer
        case reader
    }

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String, mode: Mode) throws(StoreError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mode == .writer ? SQLITE_OPEN_CREATE : 0)
        let status = sqlite3_open_v2(path, &handle, flags, nil)
        guard status == SQLITE_OK, let handle else {
            let error = StoreError.sqlite(handle, status)
            sqlite3_close(handle)
            throw error
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, 5_000)
        try set(up: mode)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    private func set(up mode: Mode) throws(StoreError) {
        switch mode {
        case .writer:
            try execute("PRAGMA journal_mode = WAL")
            try execute("PRAGMA synchronous = FULL")
            try execute("PRAGMA foreign_keys = ON")
            try execute("PRAGMA cache_size = -65536")
            try execute("PRAGMA journal_size_limit = 67108864")
            // 32 MiB of log: a page that changes with every message is copied back once for many commits.
            try execute("PRAGMA wal_autocheckpoint = 8000")
        case .reader:
            guard pinpost_forbid_checkpoint_on_close(handle) == SQLITE_OK else { throw .sqlite(handle, SQLITE_ERROR) }
            try execute("PRAGMA query_only = ON")
            try execute("PRAGMA wal_autocheckpoint = 0")
            try execute("PRAGMA cache_size = -8192")
        }
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA mmap_size = 0")
    }

    /// The texts of all statements that were used so far.
    var knownStatements: [String] { statements.keys.sorted() }

    /// Whether a transaction is open; SQLite ends one by itself after some errors.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs statements that give no rows and take no values.
    func execute(_ sql: String) throws(StoreError) {
        let status = sqlite3_exec(handle, sql, nil, nil, nil)
        guard status == SQLITE_OK else { throw .sqlite(handle, status) }
    }

    /// Runs a change and says how many rows it touched.
    @discardableResult
    func run(_ sql: String, _ values: (any SQLConvertible)...) throws(StoreError) -> Int {
        try step(sql, values) { (_: inout Row) throws(StoreError) in false }
        return Int(sqlite3_changes(handle))
    }

    /// Reads all rows.
    func rows<Value>(
        _ sql: String, _ values: (any SQLConvertible)..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        var result: [Value] = []
        try step(sql, values) { (row: inout Row) throws(StoreError) in
            result.append(try read(&row))
            return true
        }
        return result
    }

    /// Reads the first row, if there is one.
    func first<Value>(
        _ sql: String, _ values: (any SQLConvertible)..., read: (inout Row) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        var result: Value?
        try step(sql, values) { (row: inout Row) throws(StoreError) in
            if result == nil { result = try read(&row) }
            // A change with RETURNING is done only when it was stepped to its end.
            return true
        }
        return result
    }

    /// Whether there is any row.
    func exists(_ sql: String, _ values: (any SQLConvertible)...) throws(StoreError) -> Bool {
        var isThere = false
        try step(sql, values) { (_: inout Row) throws(StoreError) in
            isThere = true
            return false
        }
        return isThere
    }

    /// Steps through a statement until it ends or `body` wants no more.
    private func step(
        _ sql: String, _ values: [any SQLConvertible], _ body: (inout Row) throws(StoreError) -> Bool
    ) throws(StoreError) {
        let statement = try prepare(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try bind(value.sqlValue, at: CInt(index + 1), of: statement) }
        while true {
            let status = sqlite3_step(statement)
            switch status {
            case SQLITE_ROW:
                var row = Row(statement)
                guard try body(&row) else { return }
            case SQLITE_DONE: return
            default: throw .sqlite(handle, status)
            }
        }
    }

    private func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard status == SQLITE_OK, let statement else { throw .sqlite(handle, status) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: SQLValue, at index: CInt, of statement: OpaquePointer) throws(StoreError) {
        let status: CInt
        switch value {
        case .null: status = sqlite3_bind_null(statement, index)
        case .integer(let number): status = sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            status = text.withUTF8 { buffer in
                buffer.withMemoryRebound(to: CChar.self) {
                    pinpost_bind_text(statement, index, $0.baseAddress ?? emptyText, UInt64($0.count))
                }
            }
        case .blob(let bytes):
            status = bytes.withUnsafeBytes {
                pinpost_bind_blob(statement, index, $0.baseAddress ?? UnsafeRawPointer(emptyText), UInt64($0.count))
            }
        }
        guard status == SQLITE_OK else { throw .sqlite(handle, status) }
    }
}

/// An address for empty values: SQLite takes a null pointer for NULL.
private var emptyText: UnsafePointer<CChar> { sqlite3_libversion() }
