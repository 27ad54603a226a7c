import Cryptography
import FoundationEssentials
import PinpostCore
import Testing

@Suite("Accepting messages", .timeLimit(.minutes(10)))
struct AcceptanceTests {
    @Test("a repeated delivery changes nothing and names the first message", arguments: StoreBackend.allCases)
    func repeats(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let key = SHA256.hash("delivery 1")
            let first = ReceivedMessage.fixture(of: tenant, key: key)
            _ = try await test.store.accept(first)
            let again = try await test.store.accept(.fixture(of: tenant, key: key, body: .inline("another body")))
            #expect(again == Acceptance(message: first.id, isRepeat: true))
            #expect(try await test.store.messages(of: tenant.id, newest: 10).map(\.id) == [first.id])
            #expect(try await test.store.message(first.id)?.body == first.body)
        }
    }

    @Test(
        "the same delivery key on another route or of another tenant is another message",
        arguments: StoreBackend.allCases)
    func keysBelongToRoutes(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let (hook, other) = (Hook.fixture(of: ada), Hook.fixture(of: ada))
            try await test.store.add(hook)
            try await test.store.add(other)
            let key = SHA256.hash("delivery 1")
            for message in [
                ReceivedMessage.fixture(of: ada, by: .hook(hook.id), key: key),
                .fixture(of: ada, by: .hook(other.id), key: key), .fixture(of: ada, key: key),
                .fixture(of: bob, key: key),
            ] {
                #expect(try await test.store.accept(message).isRepeat == false)
                #expect(try await test.store.message(message.id)?.route == message.route)
            }
        }
    }

    @Test("an entrance of another tenant is not found, and nothing is stored", arguments: StoreBackend.allCases)
    func foreignRoute(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant("ada")
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let (hook, address) = (Hook.fixture(of: bob), Address.fixture(of: bob))
            try await test.store.add(hook)
            try await test.store.add(address)
            for route in [Route.hook(hook.id), .address(address.id), .hook(makeID())] {
                await #expect(throws: StoreError(.notFound)) {
                    try await test.store.accept(.fixture(of: ada, by: route))
                }
            }
            #expect(try await test.store.messages(of: ada.id, newest: 10).isEmpty)
            #expect(try await test.store.messages(of: bob.id, newest: 10).isEmpty)
        }
    }

    @Test(
        "a message for nobody fails alone, its neighbours in the same commit are kept", arguments: StoreBackend.allCases
    )
    func failureIsAlone(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let store = test.store
            let (tenant, server) = try await store.addTenant()
            let stranger = Tenant.fixture("stranger", on: server)
            let outcomes = await withTaskGroup(of: (isForTenant: Bool, code: StoreError.Code?).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let isForTenant = number % 3 != 0
                        do {
                            _ = try await store.accept(.fixture(of: isForTenant ? tenant : stranger))
                            return (isForTenant, nil)
                        } catch {
                            return (isForTenant, (error as? StoreError)?.code)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes.count == 200)
            #expect(outcomes.allSatisfy { $0.code == ($0.isForTenant ? nil : .notFound) })
            #expect(try await store.messages(of: tenant.id, newest: 500).count == 133)
        }
    }

    @Test("what was accepted is there after a crash, with its bytes", arguments: StoreBackend.allCases)
    func durable(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let body = try test.store.put(largePicture)
            let received = ReceivedMessage.fixture(of: tenant, body: body)
            _ = try await test.store.accept(received)
            try await test.crash(reopenAt: .noon + 10)
            let message = try #require(try await test.store.takeAccepted(upTo: 5, now: .noon + 10).first)
            #expect(message.id == received.id)
            #expect(message.body == body)
            #expect(try test.store.contents(of: body) == largePicture)
        }
    }

    @Test("a signal tells the splitter of a new message, and not of a repeat", arguments: [StoreBackend.sqlite])
    func signal(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (tenant, _) = try await test.store.addTenant()
            let before = test.messagesArrived.generation
            let message = ReceivedMessage.fixture(of: tenant)
            _ = try await test.store.accept(message)
            let after = test.messagesArrived.generation
            #expect(after > before)
            _ = try await test.store.accept(message)
            #expect(test.messagesArrived.generation == after)
        }
    }
}
