internal import FoundationEssentials
internal import PinpostCore

/// What goes into a column.
enum SQLValue {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

protocol SQLConvertible {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLConvertible {
    var sqlValue: SQLValue { self }
}

extension Int64: SQLConvertible {
    var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLConvertible {
    var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLConvertible {
    var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLConvertible {
    var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLConvertible {
    var sqlValue: SQLValue { .blob(self) }
}

extension Identifier: SQLConvertible {
    var sqlValue: SQLValue { .text(rawValue) }
}

extension PinID: SQLConvertible {
    var sqlValue: SQLValue { .integer(rawValue) }
}

extension ImageID: SQLConvertible {
    var sqlValue: SQLValue { .integer(rawValue) }
}

extension BoardID: SQLConvertible {
    var sqlValue: SQLValue { .integer(rawValue) }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Date: SQLConvertible {
    var sqlValue: SQLValue { .integer(microseconds) }
}

extension Date {
    /// Microseconds since 1970: how times stand in the store.
    var microseconds: Int64 {
        let time = (timeIntervalSince1970 * 1_000_000).rounded()
        return Int64(exactly: min(max(time, -9e18), 9e18)) ?? 0
    }

    init(microseconds: Int64) { self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
