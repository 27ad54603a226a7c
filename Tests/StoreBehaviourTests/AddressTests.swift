import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Addresses in the store", .timeLimit(.minutes(10)))
struct AddressTests {
    private let old = SHA256.hash("old")
    private let new = SHA256.hash("new")

    @Test(
        "a rotated address is found by both tokens until the old one's time is over", arguments: StoreBackend.allCases)
    func rotation(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            var address = Address.fixture(of: tenant, hash: old)
            try await test.store.add(address)
            #expect(try await test.store.address(tokenHash: old, now: .noon) == address)
            (address.tokenHash, address.token) = (new, .fixture(.addressToken))
            address.former = .init(hash: old, livesUntil: .noon + 60)
            try await test.store.update(address)
            #expect(try await test.store.address(tokenHash: old, now: .noon + 59) == address)
            #expect(try await test.store.address(tokenHash: old, now: .noon + 60) == nil)
            #expect(try await test.store.address(tokenHash: new, now: .noon + 60) == address)
            try await test.store.remove(address.id, of: tenant.id)
            for hash in [old, new] { #expect(try await test.store.address(tokenHash: hash, now: .noon) == nil) }
            await #expect(throws: StoreError(.notFound, "address")) { try await test.store.update(address) }
        }
    }

    @Test(
        "rules about senders are kept, and only live addresses take mail without a token",
        arguments: StoreBackend.allCases)
    func senders(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let rule = try #require(SenderRule("@Example.org"))
            var address = Address.fixture(of: tenant, hash: old, expiresAt: .noon + 60)
            address.policy = SenderPolicy(.tokenAndSender, senders: [rule])
            try await test.store.add(address)
            #expect(try await test.store.senderAddresses(now: .noon).isEmpty)
            address.policy.mode = .sender
            try await test.store.update(address)
            #expect(try await test.store.senderAddresses(now: .noon) == [address])
            #expect(try await test.store.senderAddresses(now: .noon + 60).isEmpty)
            #expect(try await test.store.address(address.id, of: tenant.id) == address)
        }
    }
}
