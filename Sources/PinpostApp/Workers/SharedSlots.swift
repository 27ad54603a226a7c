import PinpostCore
import Synchronization

/// A counted resource that tenants share: whoever holds as many as are left gets no more.
///
/// So one tenant alone holds half of them, two hold a third each, and something is left for whoever comes next.
final class SharedSlots: Sendable {
    private let count: Int
    private let slots: Slots
    /// With those that wait for their turn.
    private let held = Mutex<[Tenant.ID: Int]>([:])

    init(_ count: Int) {
        self.count = max(count, 1)
        slots = Slots(count)
    }

    /// Who has his share; never a tenant with nothing, whose first piece waits for its turn at worst.
    var sated: Set<Tenant.ID> {
        held.withLock { held in
            let left = max(count - held.values.reduce(0, +), 1)
            return Set(held.filter { $0.value >= left }.keys)
        }
    }

    /// Counts one for the tenant from now on; `acquire` and `release` have to follow.
    func reserve(for tenant: Tenant.ID) { held.withLock { $0[tenant, default: 0] += 1 } }

    /// Returns when what was reserved may be used.
    func acquire() async { await slots.acquire() }

    func release(by tenant: Tenant.ID) {
        held.withLock { held in
            let rest = held[tenant, default: 1] - 1
            held[tenant] = rest > 0 ? rest : nil
        }
        slots.release()
    }
}
