import PinpostCore
import StoreSQLite
import Web

extension Composition {
    /// What `/readyz` asks: can a message be stored at this moment?
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
