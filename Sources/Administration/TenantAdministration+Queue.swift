public import PinpostCore

/// Messages and items: what became of what came in.
extension TenantAdministration {
    /// The newest messages of a tenant; without a name those of all.
    public func messages(of slug: String?, newest limit: Int) async throws(AdministrationError) -> [MessageLine] {
        let tenant = slug == nil ? nil : try await self.tenant(named: slug)
        let found = try await AdministrationError.translated {
            try await store.overview(of: tenant?.id, newest: limit)
        }
        var lines: [MessageLine] = []
        for message in found {
            lines.append(MessageLine(message, of: try await self.tenant(of: message.tenant).slug))
        }
        return lines
    }

    func message(_ id: Message.ID) async throws(AdministrationError) -> Message {
        let found = try await AdministrationError.translated { try await store.message(id) }
        guard let message = found else {
            throw .unknown("There is no message \"\(id)\"; `pinpost message list` shows all.")
        }
        return message
    }

    /// What became of a message.
    public func report(of id: Message.ID) async throws(AdministrationError) -> MessageReport {
        let message = try await message(id)
        let items = try await AdministrationError.translated { try await store.items(of: id) }
        let server = try await server(of: tenant(of: message.tenant))
        return MessageReport(message, items, on: server)
    }

    /// The newest items of a tenant that are in one of the states; without a name those of all.
    public func items(
        of slug: String?, in states: Set<Item.State>, newest limit: Int
    ) async throws(AdministrationError) -> [ItemReport] {
        let tenant = slug == nil ? nil : try await self.tenant(named: slug)
        let found = try await AdministrationError.translated {
            try await store.items(of: tenant?.id, in: states, newest: limit)
        }
        var reports: [ItemReport] = []
        for item in found { reports.append(try await report(of: item)) }
        return reports
    }

    public func item(_ id: String) async throws(AdministrationError) -> ItemReport {
        try await report(of: find(item: id))
    }

    /// A parked item goes on from its step.
    public func retry(item id: String) async throws(AdministrationError) -> ItemReport {
        let item = try await find(item: id)
        guard item.state == .parked else {
            throw .refused("Item \(id) is \(item.state.rawValue); only a parked item can be retried.")
        }
        let time = now()
        try await AdministrationError.translated { try await store.retry(item.id, now: time) }
        return try await self.item(id)
    }

    /// Stops an item for good; a rehearsal only says whether that can be done.
    public func cancel(item id: String, rehearsal: Bool) async throws(AdministrationError) -> ItemReport {
        let item = try await find(item: id)
        switch item.state {
        case .ready, .parked: break
        case .running: throw .refused("Item \(id) is being sent this moment; try again in a few seconds.")
        case .done, .cancelled: throw .refused("Item \(id) is \(item.state.rawValue) already.")
        }
        if item.mustConclude {
            throw .refused("Item \(id) has replaced its pin or is about to; retry it, so that only one stays.")
        }
        guard !rehearsal else { return try await report(of: item) }
        let time = now()
        try await AdministrationError.translated { try await store.cancel(item.id, now: time) }
        return try await self.item(id)
    }

    func find(item id: String) async throws(AdministrationError) -> Item {
        let found = try await AdministrationError.translated { try await store.item(Item.ID(id)) }
        guard let found else { throw .unknown("There is no item \"\(id)\"; `pinpost item list` shows all.") }
        return found
    }

    func report(of item: Item) async throws(AdministrationError) -> ItemReport {
        let tenant = try await tenant(of: item.tenant)
        return ItemReport(item, of: tenant, on: try await server(of: tenant))
    }

    func tenant(of id: Tenant.ID) async throws(AdministrationError) -> Tenant {
        let found = try await AdministrationError.translated { try await store.tenant(id) }
        guard let found else { throw .store(StoreError(.corrupt, "tenant \(id) is missing")) }
        return found
    }
}
