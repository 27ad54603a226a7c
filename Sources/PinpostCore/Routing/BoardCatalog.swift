public import FoundationEssentials

/// The tenants' boards: read from Pinry when they are needed and too old, remembered in the store.
public struct BoardCatalog: Sendable {
    private let directory: any TenantDirectory
    private let accounts: AccountBook
    private let pinry: any PinryAPI

    public init(directory: any TenantDirectory, accounts: AccountBook, pinry: any PinryAPI) {
        self.directory = directory
        self.accounts = accounts
        self.pinry = pinry
    }

    /// What is remembered, whatever its age; empty before the first reading.
    public func known(of tenant: Tenant.ID) async throws(StoreError) -> [Board] {
        try await directory.boards(of: tenant)?.boards ?? []
    }

    /// The boards as they were at most `age` seconds ago.
    public func boards(of tenant: Tenant.ID, notOlderThan age: TimeInterval, now: Date) async throws -> [Board] {
        if let known = try await directory.boards(of: tenant), now.timeIntervalSince(known.readAt) <= age,
            known.readAt <= now
        {
            return known.boards
        }
        return try await refresh(tenant, now: now)
    }

    /// Reads the boards anew.
    public func refresh(_ tenant: Tenant.ID, now: Date) async throws -> [Board] {
        let boards = try await pinry.boards(as: accounts.account(of: tenant))
        try await directory.remember(boards, of: tenant, readAt: now)
        return boards
    }
}

extension [Board] {
    /// The board of that name as people write it: the exact name goes before another case, a name before a number.
    public func chosen(by wish: String) -> Board? {
        first { $0.name == wish } ?? first { $0.name.lowercased() == wish.lowercased() }
            ?? Int64(wish).flatMap { number in first { $0.id == BoardID(number) } }
    }
}
