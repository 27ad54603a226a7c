import PinpostCore
import Testing

@testable import PinpostApp

@Suite("Slots that tenants share", .timeLimit(.minutes(10)))
struct SharedSlotsTests {
    private let ada = Tenant.ID("ada")
    private let bob = Tenant.ID("bob")
    private let cyd = Tenant.ID("cyd")

    /// Reserves in turns until everybody has his share; how many each one holds.
    private func fill(_ slots: SharedSlots, _ tenants: [Tenant.ID]) -> [Int] {
        var counts = tenants.map { _ in 0 }
        while true {
            let sated = slots.sated
            guard let next = tenants.indices.first(where: { !sated.contains(tenants[$0]) }) else { return counts }
            slots.reserve(for: tenants[next])
            counts[next] += 1
        }
    }

    @Test("one tenant alone gets half of them, the next one half of the rest")
    func shares() {
        let slots = SharedSlots(12)
        #expect(fill(slots, [ada]) == [6])
        #expect(fill(slots, [bob]) == [3])
        #expect(slots.sated == [ada, bob])
        #expect(fill(slots, [cyd]) == [2])
    }

    @Test("a tenant with nothing is never passed over, and waits for one that is given back")
    func newcomer() async {
        let slots = SharedSlots(1)
        slots.reserve(for: ada)
        await slots.acquire()
        #expect(slots.sated == [ada])
        slots.reserve(for: bob)
        #expect(slots.sated == [ada, bob])
        async let turn: Void = slots.acquire()
        slots.release(by: ada)
        await turn
        slots.release(by: bob)
        #expect(slots.sated.isEmpty)
    }
}
