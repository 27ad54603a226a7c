internal import CSQLite
internal import FoundationEssentials
internal import PinpostCore

/// A result row, read column by column from the left.
struct Row: ~Copyable {
    private let statement: OpaquePointer
    private var column: CInt = 0

    init(_ statement: OpaquePointer) { self.statement = statement }

    private mutating func next() -> CInt {
        defer { column += 1 }
        return column
    }

    mutating func integer() -> Int64 { sqlite3_column_int64(statement, next()) }
    mutating func int() -> Int { Int(integer()) }
    mutating func flag() -> Bool { integer() != 0 }
    mutating func date() -> Date { Date(microseconds: integer()) }

    mutating func text() -> String {
        let index = next()
        guard let text = sqlite3_column_text(statement, index) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, index))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    mutating func blob() -> [UInt8] {
        let index = next()
        guard let bytes = sqlite3_column_blob(statement, index) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, index))))
    }

    mutating func id<Subject>() -> Identifier<Subject> { Identifier(text()) }

    /// What `read` gives, or nil for a null column.
    mutating func optional<Value>(_ read: (inout Row) -> Value) -> Value? {
        guard sqlite3_column_type(statement, column) != SQLITE_NULL else {
            column += 1
            return nil
        }
        return read(&self)
    }

    /// A value of a closed set; another one means that somebody else wrote here.
    mutating func choice<Value: RawRepresentable<String>>() throws(StoreError) -> Value {
        let text = text()
        guard let value = Value(rawValue: text) else { throw StoreError(.corrupt, "unknown word \(text.prefix(32))") }
        return value
    }
}
