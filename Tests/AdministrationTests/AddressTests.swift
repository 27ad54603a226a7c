import Administration
import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Addresses and their rules", .timeLimit(.minutes(10)))
struct AddressTests {
    @Test("an address is made with its rules, and changed without losing the rest")
    func rules() async throws {
        try await Office.open { office in
            try await office.addAda()
            let administration = office.administration
            let rules = AddressRules(
                mode: .tokenAndSender, senders: ["Ada@example.org", "@example.net"], expires: Expiry("30d"))
            let made = try await administration.addAddress(NewEntrance(tenant: "ada", tags: ["sea"]), rules)
            #expect(made.mode == .tokenAndSender && made.senders == ["ada@example.org", "@example.net"])
            #expect(made.expires == Office.noon + 30 * 86_400 && made.warnings == [])
            var changes = AddressChanges()
            (changes.label, changes.rules.expires) = ("phone", .never)
            changes.board = .set("Diary")
            let changed = try await administration.setAddress(made.id, of: "ada", changes)
            #expect(changed.address == made.address && changed.tags == ["sea"] && changed.senders.count == 2)
            #expect(changed.label == "phone" && changed.expires == nil && changed.board == "Diary")
            changes = AddressChanges()
            (changes.board, changes.rules.mode) = (.remove, .token)
            let plain = try await administration.setAddress(made.id, of: "ada", changes)
            #expect(plain.board == nil && plain.mode == .token && plain.senders.isEmpty && plain.label == "phone")
        }
    }

    @Test(
        "rules that cannot be meant",
        arguments: [
            AddressRules(mode: .sender), AddressRules(mode: .tokenAndSender, senders: ["ada"]),
            AddressRules(senders: ["ada@example.org"]), AddressRules(mode: .token, senders: ["ada@example.org"]),
            AddressRules(expires: .at(Office.noon)), AddressRules(expires: .after(0)),
            AddressRules(mode: .sender, senders: (0...100).map { "a\($0)@example.org" }),
        ])
    func wrongRules(_ rules: AddressRules) async throws {
        try await Office.open { office in
            try await office.addAda()
            await #expect(throws: AdministrationError.self) {
                try await office.administration.addAddress(NewEntrance(tenant: "ada"), rules)
            }
            #expect(try await office.administration.addresses(of: "ada").isEmpty)
        }
    }

    @Test("a rotated address lets mail in by both secrets for a while")
    func rotation() async throws {
        try await Office.open { office in
            try await office.addAda()
            let made = try await office.administration.addAddress(NewEntrance(tenant: "ada"))
            let rotated = try await office.administration.rotateAddress(made.id, of: "ada", keep: 60)
            #expect(rotated.address != made.address && rotated.formerUntil == Office.noon + 60)
            for (text, time, isLive) in [
                (made.address, Office.noon + 59, true), (made.address, Office.noon + 60, false),
                (rotated.address, Office.noon + 60, true),
            ] {
                let addressing = try #require(MailAddressing(mailAddress: "pins@example.org"))
                let recipient = try #require(text.flatMap(addressing.recipient))
                let hash = try #require(AddressToken(recipient.token)).hash
                #expect(try await (office.store.address(tokenHash: hash, now: time) != nil) == isLive)
            }
            // A second rotation would end the first address before its time.
            await #expect(throws: AdministrationError.self) {
                try await office.administration.rotateAddress(made.id, of: "ada", keep: 60)
            }
            let kept = try await office.administration.showAddress(made.id, of: "ada")
            #expect(kept.address == rotated.address && kept.formerUntil == Office.noon + 60)
            let again = try await office.administration.rotateAddress(made.id, of: "ada", keep: 0)
            #expect(again.address != rotated.address && again.formerUntil == nil)
        }
    }

    @Test("a tenant without a token is warned about")
    func warning() async throws {
        try await Office.open { office in
            _ = try await office.administration.add(.ada(token: nil))
            let made = try await office.administration.addAddress(NewEntrance(tenant: "ada"))
            #expect(made.warnings?.first?.contains("no Pinry token") == true)
        }
    }

    @Test("times as people write them")
    func expiry() {
        #expect(Expiry("90m") == .after(5_400))
        #expect(Expiry("8w") == .after(8 * 7 * 86_400))
        #expect(Expiry("1970-01-02") == .at(Date(timeIntervalSince1970: 2 * 86_400)))
        #expect(Expiry("1970-01-02T12:00:00Z") == .at(Date(timeIntervalSince1970: 129_600)))
        #expect(Expiry("never") == .never)
        for text in ["", "d", "-1d", "1.5d", "30", "2027-13-01", "2027-1-1", "soon", "99999w"] {
            #expect(Expiry(text) == nil, "\(text)")
        }
    }
}
