import Administration
import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Addresses, hooks and keys", .timeLimit(.minutes(10)))
struct EntranceTests {
    @Test("an address is built from the mailbox, found by its token, and can be shown again")
    func address() async throws {
        try await Office.open { office in
            try await office.addAda()
            let new = NewEntrance(tenant: "ada", board: .name("Diary"), tags: ["#sun", "sun", "sea"], isPrivate: true)
            let secret = try await office.administration.addAddress(new)
            let addressing = try #require(MailAddressing(mailAddress: "pins@example.org"))
            let recipient = try #require(secret.address.flatMap(addressing.recipient))
            let token = try #require(AddressToken(recipient.token))
            let found = try #require(try await office.store.address(tokenHash: token.hash, now: Office.noon))
            #expect(found.id.rawValue == secret.id && found.defaults.board == .diary)
            #expect(found.defaults.tags == ["sun", "sea"] && found.defaults.isPrivate)
            #expect(try await office.administration.showAddress(secret.id, of: "ada").address == secret.address)
            let listed = try await office.administration.addresses(of: "ada")
            #expect(listed.map(\.id) == [secret.id] && listed.first?.address == nil)
        }
    }

    @Test("a hook's token is returned once and only its hash is kept")
    func hook() async throws {
        try await Office.open { office in
            try await office.addAda()
            let secret = try await office.administration.addHook(NewEntrance(tenant: "ada", label: "camera"))
            #expect(secret.url == "https://pins.example/v1/hooks/\(secret.id)")
            let hook = try #require(try await office.store.hook(Hook.ID(secret.id)))
            let token = try #require(HookToken.presented(secret.token))
            #expect(token.matches(hook.tokenHashes))
            let listed = try await office.administration.hooks(of: "ada")
            #expect(listed.first?.url == secret.url && listed.first?.label == "camera")
        }
    }

    @Test("a rotated token lives on as long as it is told, and the new one has limits of its own")
    func rotation() async throws {
        try await Office.open { office in
            try await office.addAda()
            let secret = try await office.administration.addHook(NewEntrance(tenant: "ada"))
            let limits = TokenLimits(expiresAt: Office.noon + 100, scopes: [.send])
            let rotated = try await office.administration.rotateHook(
                secret.id, of: "ada", keep: 60, limits: limits, makesSecret: false)
            let hook = try #require(try await office.store.hook(Hook.ID(secret.id)))
            #expect(hook == rotated.hook)
            let (old, new) = (HookToken.presented(secret.token), HookToken.presented(rotated.secret.token))
            let before = hook.tokenHashes(for: .send, at: Office.noon + 59)
            #expect(old?.matches(before) == true && new?.matches(before) == true)
            let after = hook.tokenHashes(for: .send, at: Office.noon + 60)
            #expect(old?.matches(after) == false && new?.matches(after) == true)
            #expect(hook.tokenHashes(for: .status, at: Office.noon + 60).isEmpty)
            #expect(hook.tokenHashes(at: Office.noon + 100).isEmpty)
            let report = try await office.administration.report(of: hook)
            #expect(report.liveTokens == 2 && report.tokens.map(\.scopes) == [["send", "status"], ["send"]])
            // A second rotation would break the promise to the first token.
            await #expect(throws: AdministrationError.self) {
                try await office.administration.rotateHook(secret.id, of: "ada", keep: 60, makesSecret: false)
            }
            let alone = try await office.administration.rotateHook(secret.id, of: "ada", keep: 0, makesSecret: false)
            #expect(alone.hook.tokens.count == 1)
        }
    }

    @Test("only a promise keeps a rotation waiting, not what a token was given as its own end")
    func promises() async throws {
        try await Office.open { office in
            try await office.addAda()
            let id = try await office.administration.addHook(NewEntrance(tenant: "ada")).id
            func rotate(keep: TimeInterval?, expires: Date? = nil) async throws -> Hook {
                try await office.administration.rotateHook(
                    id, of: "ada", keep: keep, limits: TokenLimits(expiresAt: expires), makesSecret: false
                ).hook
            }
            _ = try await rotate(keep: nil, expires: Office.noon + 1_000_000)
            _ = try await rotate(keep: nil)
            let third = try await rotate(keep: 60, expires: Office.noon + 30)
            #expect(third.tokens.first?.limits.end == Office.noon + 60)
            await #expect(throws: AdministrationError.self) { try await rotate(keep: nil) }
            _ = try await rotate(keep: 0)
            _ = try await rotate(keep: nil, expires: Office.noon + 10)
            // It was to live for a minute more, and had ten seconds of its own left.
            let last = try await rotate(keep: 60)
            #expect(last.tokens.first?.limits.end == Office.noon + 10)
            await #expect(throws: AdministrationError.self) { try await rotate(keep: nil) }
        }
    }

    @Test("changes by several hands at once all count, and bring no ended token back")
    func severalHands() async throws {
        try await Office.open { office in
            try await office.addAda()
            let secret = try await office.administration.addHook(NewEntrance(tenant: "ada"))
            let administration = office.administration
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        var changes = HookChanges()
                        if number % 2 == 0 { changes.label = "camera" } else { changes.tags = ["sea"] }
                        _ = try await administration.setHook(secret.id, of: "ada", changes)
                    }
                }
                group.addTask {
                    _ = try await administration.rotateHook(secret.id, of: "ada", keep: 0, makesSecret: false)
                }
                try await group.waitForAll()
            }
            let hook = try #require(try await office.store.hook(Hook.ID(secret.id)))
            #expect(hook.defaults.label == "camera" && hook.defaults.tags == ["sea"])
            #expect(HookToken.presented(secret.token)?.matches(hook.tokenHashes) == false)
        }
    }

    @Test("lists and changes of hooks tell the last use")
    func lastUse() async throws {
        try await Office.open { office in
            try await office.addAda()
            let id = try await office.administration.addHook(NewEntrance(tenant: "ada")).id
            #expect(try await office.administration.hooks(of: "ada").map(\.lastUsed) == [nil])
            try await office.store.noteUse(of: Hook.ID(id), at: Office.noon)
            #expect(try await office.administration.hooks(of: "ada").map(\.lastUsed) == [Office.noon])
            var changes = HookChanges()
            changes.label = "camera"
            let changed = try await office.administration.setHook(id, of: "ada", changes)
            #expect(try await office.administration.report(of: changed).lastUsed == Office.noon)
        }
    }

    @Test("a board that is not in Pinry makes no entrance")
    func unknownBoard() async throws {
        try await Office.open { office in
            try await office.addAda()
            await #expect(throws: AdministrationError.self) {
                try await office.administration.addHook(NewEntrance(tenant: "ada", board: .name("Nowhere")))
            }
            #expect(try await office.administration.hooks(of: "ada").isEmpty)
        }
    }

    @Test(
        "wrong labels and tags are refused",
        arguments: [
            NewEntrance(tenant: "ada", label: String(repeating: "x", count: 101)),
            NewEntrance(tenant: "ada", tags: ["a,b"]), NewEntrance(tenant: "ada", tags: ["#"]),
            NewEntrance(tenant: "ada", tags: (0...20).map { "tag\($0)" }),
        ])
    func limits(_ new: NewEntrance) async throws {
        try await Office.open { office in
            try await office.addAda()
            await #expect(throws: AdministrationError.self) { try await office.administration.addAddress(new) }
        }
    }

    @Test("an entrance is removed by its own tenant alone")
    func foreign() async throws {
        try await Office.open { office in
            try await office.addAda()
            _ = try await office.administration.add(
                NewTenant(slug: "bob", server: "http://pinry.example", token: Secret(copying: Array("bob-token".utf8))))
            let hook = try await office.administration.addHook(NewEntrance(tenant: "ada"))
            let address = try await office.administration.addAddress(NewEntrance(tenant: "ada"))
            await #expect(throws: AdministrationError.self) {
                try await office.administration.removeHook(hook.id, of: "bob", rehearsal: false)
            }
            await #expect(throws: AdministrationError.self) {
                try await office.administration.showAddress(address.id, of: "bob")
            }
            _ = try await office.administration.removeHook(hook.id, of: "ada", rehearsal: true)
            #expect(try await office.administration.hooks(of: "ada").count == 1)
            _ = try await office.administration.removeHook(hook.id, of: "ada", rehearsal: false)
            #expect(try await office.administration.hooks(of: "ada").isEmpty)
        }
    }

    @Test("keys tells how many secrets each key holds")
    func keys() async throws {
        try await Office.open { office in
            try await office.addAda()
            _ = try await office.administration.addAddress(NewEntrance(tenant: "ada"))
            let report = try await office.administration.keys()
            #expect(report.keys.map(\.id) == ["k1"])
            #expect(report.keys.first?.isCurrent == true && report.keys.first?.records == 2)
        }
    }
}
