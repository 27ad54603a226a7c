internal import FoundationEssentials
internal import PinpostCore
internal import Synchronization

/// Values that the database only carries stand as JSON in a text column.
enum JSONColumn {
    static func encode(_ value: some Encodable) throws(StoreError) -> String {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw StoreError(.refused, "a value cannot be written")
        }
    }

    static func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StoreError(.corrupt, "a column of \(type) cannot be read")
        }
    }
}

extension JSONColumn {
    /// Values that come again and again in equal texts: decoded once, as long as they are among the last ones.
    private static let recurring = Mutex<[Recurring: any Sendable]>([:])
    private static let mostRecurring = 64
    private static let longestRecurring = 4 << 10

    private struct Recurring: Hashable {
        let type: ObjectIdentifier
        let text: String
    }

    fileprivate static func decodeRecurring<Value: Decodable & Sendable>(_ text: String) throws(StoreError) -> Value {
        let key = Recurring(type: ObjectIdentifier(Value.self), text: text)
        if let known = recurring.withLock({ $0[key] }) as? Value { return known }
        let value: Value = try decode(text)
        guard text.utf8.count <= longestRecurring else { return value }
        recurring.withLock { recurring in
            if recurring.count >= mostRecurring { recurring = [:] }
            recurring[key] = value
        }
        return value
    }
}

extension Row {
    mutating func json<Value: Decodable>() throws(StoreError) -> Value { try JSONColumn.decode(text()) }

    /// The same for what is equal in many rows, such as the envelopes of one sender.
    mutating func recurringJSON<Value: Decodable & Sendable>() throws(StoreError) -> Value {
        try JSONColumn.decodeRecurring(text())
    }
}
