public import FoundationEssentials
public import PinpostCore

extension SQLiteStore: UndoRecord {
    public func noteUndone(_ item: Item.ID, now: Date) async throws(StoreError) {
        try await writer.write { (transaction) throws(StoreError) in
            guard let item = try transaction.connection.items([item]).first else { throw StoreError(.notFound, "item") }
            guard item.state.isFinal else { throw StoreError(.refused, "the item is \(item.state.rawValue)") }
            try transaction.connection.run(
                "UPDATE items SET pin_id = NULL, replaced_pin = NULL WHERE id = ?", item.id)
            try transaction.finish(item.id, of: item.message, as: .cancelled, reason: "taken back", now: now)
        }
    }
}
