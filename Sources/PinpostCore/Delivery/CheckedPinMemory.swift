/// What a tenant has pinned before and Pinry still has: a page whose pin was deleted there is pinned anew.
public struct CheckedPinMemory: PinMemory {
    private let memory: any PinMemory
    private let accounts: AccountBook
    private let pinry: any PinryAPI

    public init(_ memory: any PinMemory, accounts: AccountBook, pinry: any PinryAPI) {
        self.memory = memory
        self.accounts = accounts
        self.pinry = pinry
    }

    /// One question at most; where Pinry gives no clear answer the pin counts as there, since a second one would stay.
    public func earlierPin(ofPageIn item: Item) async throws(StoreError) -> EarlierPin? {
        let earlier = try await memory.earlierPin(ofPageIn: item)
        guard case .pinned(let pin) = earlier else { return earlier }
        do {
            let account = try await accounts.account(of: item.tenant)
            // Without a token a private pin looks like one that is gone.
            guard account.token != nil else { return earlier }
            return try await pinry.hasPin(pin, as: account) ? earlier : nil
        } catch {
            return earlier
        }
    }
}
