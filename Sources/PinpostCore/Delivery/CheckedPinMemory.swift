/// What a tenant has pinned before and Pinry still has: a page whose pin was deleted there is pinned anew.
public struct CheckedPinMemory: PinMemory {
    private let memory: any PinMemory
    private let accounts: AccountBook
    private let pinry: any PinryAPI
    private let places: ServerPlaces

    /// Makes a memory; `places` are those of everything that asks these servers.
    public init(
        _ memory: any PinMemory, accounts: AccountBook, pinry: any PinryAPI, places: ServerPlaces = ServerPlaces()
    ) {
        self.places = places
        self.memory = memory
        self.accounts = accounts
        self.pinry = pinry
    }

    /// Questions at a time; an item with more pins that are gone comes back for the rest.
    private static let questions = 4

    /// Where Pinry gives no clear answer the pin counts as there, since a second one would stay.
    public func earlierPin(ofPageIn item: Item) async throws(StoreError) -> EarlierPin? {
        for _ in 0..<Self.questions {
            let earlier = try await memory.earlierPin(ofPageIn: item)
            guard case .pinned(let pin) = earlier, await isGone(pin, of: item.tenant) else { return earlier }
            // What it hid may be alive, or about to be.
            try await memory.forget(pin, ofPageIn: item)
        }
        return .underway
    }

    public func forget(_ pin: PinID, ofPageIn item: Item) async throws(StoreError) {
        try await memory.forget(pin, ofPageIn: item)
    }

    private func isGone(_ pin: PinID, of tenant: Tenant.ID) async -> Bool {
        do {
            let account = try await accounts.account(of: tenant)
            // Without a token a private pin looks like one that is gone.
            guard account.token != nil else { return false }
            return try await places.run(for: account.server) { try await !pinry.hasPin(pin, as: account) }
        } catch {
            return false
        }
    }
}
