import PinpostCore
import StoreSQLite
import Web

extension Composition {
    /// What `/readyz` asks: whether a message can be stored at this moment.
    var health: HealthChecks {
        HealthChecks(hindrance: { [store] in
            do throws(StoreError) {
                try await store.probe()
                return nil
            } catch {
                return error.description
            }
        })
    }
}
