internal import FoundationEssentials
internal import PinpostCore

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

extension Row {
    mutating func json<Value: Decodable>() throws(StoreError) -> Value { try JSONColumn.decode(text()) }
}
