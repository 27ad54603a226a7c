import Administration
import Cryptography
import PinpostCore
import StoreSQLite
import Testing

@Suite("Changes that cross", .timeLimit(.minutes(10)))
struct ContentionTests {
    @Test("both of two changes of a tenant count, and what the service found out meanwhile")
    func tenant() async throws {
        try await Office.open { office in
            try await office.addAda()
            let old = try #require(try await office.store.tenant(slug: "ada"))
            var server = try #require(try await office.store.server(old.server))
            server.uploadLimit = 400_000
            let limited = server
            office.pinry.meanwhile {
                var wish = TenantChange(slug: "ada")
                wish.itemsPerMessage = 7
                _ = try? await office.administration.change(wish)
                guard let present = try? await office.store.tenant(slug: "ada") else { return }
                try? await office.store.update(present, on: limited)
            }
            var change = TenantChange(slug: "ada")
            change.board = .set("Trips")
            change.allowsPrivateNetwork = true
            let report = try await office.administration.change(change)
            #expect(report.board == "Trips" && report.itemsPerMessage == 7)
            let tenant = try #require(try await office.store.tenant(slug: "ada"))
            #expect(tenant.board == .trips && tenant.preferences.itemsPerMessage == 7)
            server.allowsPrivateNetwork = true
            #expect(try await office.store.server(old.server) == server)
        }
    }

    @Test("a change that crosses a check is kept")
    func check() async throws {
        try await Office.open { office in
            try await office.addAda()
            office.pinry.meanwhile {
                var wish = TenantChange(slug: "ada")
                wish.replies = .never
                _ = try? await office.administration.change(wish)
            }
            _ = try await office.administration.check(tenant: "ada")
            #expect(try await office.store.tenant(slug: "ada")?.preferences.replies == .never)
        }
    }

    @Test("a new tenant on a known server leaves what was changed there meanwhile")
    func add() async throws {
        try await Office.open { office in
            try await office.addAda()
            office.pinry.meanwhile {
                var wish = TenantChange(slug: "ada")
                wish.allowsPrivateNetwork = true
                _ = try? await office.administration.change(wish)
            }
            let token = Secret(copying: Array("bob-token".utf8))
            _ = try await office.administration.add(
                NewTenant(slug: "bob", server: "http://pinry.example", token: token))
            let bob = try #require(try await office.store.tenant(slug: "bob"))
            #expect(try await office.store.server(bob.server)?.allowsPrivateNetwork == true)
        }
    }

    @Test("both of two changes of a mailbox count that began with the same settings")
    func mailbox() async throws {
        try await Office.open { office in
            let directory = try #require(office.store as? SQLiteStore)
            let administration = MailboxAdministration(
                directory: directory, keeper: FixedKeeper(), now: { Office.noon })
            let former = MailboxSettings(host: "mail.example", username: "ada")
            try await administration.add(
                try await administration.make(
                    "inbox", former, secret: Secret(copying: [1]), clientSecret: nil))
            var (first, second) = (former, former)
            first.folder = "Pins"
            second.afterwards = .delete
            for settings in [first, second] {
                _ = try await administration.change("inbox", by: MailboxChange(from: former, to: settings))
            }
            first.afterwards = .delete
            #expect(try await administration.mailbox(named: "inbox").settings == first)
        }
    }
}

/// Seals nothing.
private struct FixedKeeper: SecretKeeper {
    func seal(_: Secret, for purpose: SealedSecret.Purpose, of _: Tenant.ID) throws(VaultError) -> SealedSecret {
        SealedSecret(id: Identifier("s1"), purpose: purpose, keyID: "k1", box: [1])
    }
    func open(_: SealedSecret, of _: Tenant.ID) throws(VaultError) -> Secret { Secret(copying: [1]) }
}
