public import PinpostCore

/// Looking into the tenant's Pinry.
extension TenantAdministration {
    /// The tenant's own boards, read anew.
    public func boards(of slug: String?) async throws(AdministrationError) -> [BoardReport] {
        let tenant = try await tenant(named: slug)
        let account = try await account(of: tenant)
        guard account.token != nil else { throw .pinry(PinryError(.tokenMissing)) }
        let boards = try await AdministrationError.translated { try await pinry.boards(as: account) }
        let time = now()
        try await AdministrationError.translated { try await store.remember(boards, of: tenant.id, readAt: time) }
        return boards.map { BoardReport($0, isDefault: $0.id == tenant.board?.id) }
    }

    /// The newest pins: the tenant's own, or the public ones while there is no token.
    public func pins(
        of slug: String?, on board: BoardChoice?, limit: Int
    ) async throws(AdministrationError) -> [PinReport] {
        let tenant = try await tenant(named: slug)
        let account = try await account(of: tenant)
        let id = try await id(of: board, tenant)
        let pins = try await AdministrationError.translated { try await pinry.pins(of: id, limit: limit, as: account) }
        return pins.map { PinReport($0, on: account.server) }
    }

    /// A number is taken as it is, so that public boards can be browsed; a name is one of the tenant's own.
    private func id(of board: BoardChoice?, _ tenant: Tenant) async throws(AdministrationError) -> BoardID? {
        switch board {
        case nil: nil
        case .id(let number): number
        case .name(let name): try await self.board(.name(name), of: tenant).id
        }
    }
}
