import Administration
import PinpostCore
import Testing

@Suite("Tenants", .timeLimit(.minutes(10)))
struct TenantTests {
    private func token(_ text: String) -> Secret { Secret(copying: Array(text.utf8)) }

    @Test("a new tenant is tried at Pinry and stored with a sealed token")
    func add() async throws {
        try await Office.open { office in
            let report = try await office.addAda(board: "Trips")
            #expect(report.tenant == "ada" && report.server == "http://pinry.example")
            #expect(report.username == "ada" && report.board == "Trips" && report.boardID == 1)
            let stored = try #require(try await office.store.tenant(slug: "ada"))
            #expect(stored.token?.box.count ?? 0 > 20)
            let server = try #require(try await office.store.server(stored.server))
            #expect(server.newestPin == PinID(40))
            #expect(try await office.store.boards(of: stored.id)?.boards == [.trips, .diary])
        }
    }

    @Test(
        "nothing is stored when Pinry refuses",
        arguments: [
            (NewTenant.ada(token: "wrong"), PinryError.Code.tokenRejected),
            (.ada(board: "Nowhere"), .boardMissing),
            (.ada(token: nil, board: "Trips"), .tokenMissing),
        ])
    func refused(_ new: NewTenant, _ code: PinryError.Code) async throws {
        try await Office.open { office in
            let error = await #expect(throws: AdministrationError.self) { try await office.administration.add(new) }
            guard case .pinry(let cause) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(cause.code == code)
            let tenants = try await office.store.tenants()
            let server = try await office.store.server(baseURL: "http://pinry.example", dialect: .v2)
            #expect(tenants.isEmpty && server == nil)
        }
    }

    @Test(
        "a wrong value is refused before Pinry is asked",
        arguments: [
            ("Ada", "http://pinry.example"), ("-a", "http://pinry.example"), ("", "http://pinry.example"),
            ("ada", "pinry.example"), ("ada", "ftp://pinry.example"),
        ])
    func badValues(_ slug: String, _ server: String) async throws {
        try await Office.open { office in
            await #expect(throws: AdministrationError.self) {
                try await office.administration.add(NewTenant(slug: slug, server: server))
            }
            #expect(office.pinry.questions == 0)
        }
    }

    @Test("a tenant without a token may be added, and lists public pins alone")
    func withoutToken() async throws {
        try await Office.open { office in
            let report = try await office.administration.add(.ada(token: nil))
            #expect(report.username == nil && !report.hasToken)
            #expect(try await office.administration.pins(of: nil, on: nil, limit: 5).map(\.username) == ["public"])
            await #expect(throws: AdministrationError.pinry(PinryError(.tokenMissing))) {
                try await office.administration.boards(of: "ada")
            }
        }
    }

    @Test("a name is given once")
    func taken() async throws {
        try await Office.open { office in
            try await office.addAda()
            let error = await #expect(throws: AdministrationError.self) { try await office.addAda() }
            guard case .taken = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
    }

    @Test("another server drops the token, unless one is given with it")
    func moving() async throws {
        try await Office.open { office in
            office.pinry.admit(.init(username: "ada2"), token: "new-token", at: "https://other.example/pinry")
            try await office.addAda(board: "Trips")
            var change = TenantChange(slug: "ada")
            change.server = "https://other.example/pinry/"
            let moved = try await office.administration.change(change)
            #expect(!moved.hasToken && moved.username == nil && moved.board == nil)
            #expect(moved.warnings.first?.contains("token") == true)
            #expect(try await office.store.tenant(slug: "ada")?.token == nil)
            change.server = "http://pinry.example"
            change.token = token("ada-token")
            #expect(try await office.administration.change(change).username == "ada")
        }
    }

    @Test("a refused change leaves everything as it was")
    func refusedChange() async throws {
        try await Office.open { office in
            try await office.addAda(board: "Trips")
            let before = try await office.store.tenant(slug: "ada")
            var change = TenantChange(slug: "ada")
            change.token = token("wrong")
            change.itemsPerMessage = 7
            await #expect(throws: AdministrationError.self) { try await office.administration.change(change) }
            #expect(try await office.store.tenant(slug: "ada") == before)
        }
    }

    @Test("preferences change without asking Pinry")
    func preferences() async throws {
        try await Office.open { office in
            try await office.addAda()
            let asked = office.pinry.questions
            var change = TenantChange(slug: "ada")
            change.createsBoards = true
            change.itemsPerMessage = 7
            change.keepsCamera = true
            let report = try await office.administration.change(change)
            #expect(report.createsBoards && report.itemsPerMessage == 7 && report.keepsCamera)
            #expect(office.pinry.questions == asked)
            let shown = try await office.administration.show(tenant: "ada")
            #expect(shown.keepsCamera && shown.uploadLimit == nil)
        }
    }

    @Test("how large a picture may be is shown, and found out anew after a check")
    func uploadLimit() async throws {
        try await Office.open { office in
            try await office.addAda()
            let tenant = try #require(try await office.store.tenant(slug: "ada"))
            var server = try #require(try await office.store.server(tenant.server))
            server.uploadLimit = 400_000
            try await office.store.update(tenant, on: server)
            var change = TenantChange(slug: "ada")
            change.keepsCamera = true
            #expect(try await office.administration.change(change).uploadLimit == 400_000)
            #expect(try await office.administration.check(tenant: "ada").uploadLimit == nil)
            #expect(try await office.store.server(tenant.server)?.uploadLimit == nil)
        }
    }

    @Test("a stopped tenant goes on after a successful check, and after a new token", arguments: [true, false])
    func startsAgain(_ byCheck: Bool) async throws {
        try await Office.open { office in
            try await office.addAda()
            var tenant = try #require(try await office.store.tenant(slug: "ada"))
            let server = try #require(try await office.store.server(tenant.server))
            tenant.status = .stopped(reason: "Pinry refused the token.")
            try await office.store.update(tenant, on: server)
            #expect(try await office.administration.show(tenant: "ada").state == "stopped")

            office.pinry.fail(with: PinryError(.tokenRejected))
            await #expect(throws: AdministrationError.self) { try await office.administration.check(tenant: "ada") }
            #expect(try await office.administration.show(tenant: "ada").state == "stopped")
            office.pinry.fail(with: nil)

            var change = TenantChange(slug: "ada")
            change.token = token("ada-token")
            let report =
                byCheck
                ? try await office.administration.check(tenant: "ada")
                : try await office.administration.change(change)
            #expect(report.state == "active" && report.reason == nil)
        }
    }

    @Test("what was parked for want of a token goes on with the token; what was parked otherwise does not")
    func resumed() async throws {
        try await Office.open { office in
            _ = try await office.administration.add(.ada(token: nil))
            let wanting = try await office.parkItem(because: PinryError(.tokenMissing).description)
            let damaged = try await office.parkItem(because: "The picture is damaged.")
            var change = TenantChange(slug: "ada")
            change.token = Secret(copying: Array("ada-token".utf8))
            _ = try await office.administration.change(change)
            #expect(try await office.store.item(wanting)?.state == .ready)
            #expect(try await office.store.item(damaged)?.state == .parked)
        }
    }

    @Test("removing takes everything along, and a rehearsal nothing")
    func remove() async throws {
        try await Office.open { office in
            try await office.addAda()
            _ = try await office.administration.addAddress(NewEntrance(tenant: "ada"))
            _ = try await office.administration.addHook(NewEntrance(tenant: "ada"))
            let rehearsal = try await office.administration.remove(tenant: "ada", rehearsal: true)
            #expect(rehearsal.addresses == 1 && rehearsal.hooks == 1 && rehearsal.rehearsal)
            #expect(try await office.administration.tenants().count == 1)
            _ = try await office.administration.remove(tenant: "ada", rehearsal: false)
            #expect(try await office.administration.tenants().isEmpty)
        }
    }

    @Test("the only tenant need not be named; with two a name is needed")
    func onlyTenant() async throws {
        try await Office.open { office in
            await #expect(throws: AdministrationError.self) { try await office.administration.show(tenant: nil) }
            try await office.addAda()
            #expect(try await office.administration.show(tenant: nil).tenant == "ada")
            _ = try await office.administration.add(
                NewTenant(slug: "bob", server: "http://pinry.example", token: token("bob-token")))
            let error = await #expect(throws: AdministrationError.self) {
                try await office.administration.show(tenant: nil)
            }
            #expect(error?.description.contains("ada, bob") == true)
        }
    }
}
