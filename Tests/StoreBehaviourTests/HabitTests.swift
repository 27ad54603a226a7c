import FoundationEssentials
import PinpostCore
import Testing

@Suite("Pictures that come with every mail", .timeLimit(.minutes(10)))
struct HabitTests {
    private static let logo = [UInt8](repeating: 1, count: 32)
    private static let photo = [UInt8](repeating: 2, count: 32)

    @Test(
        "the fourth message with a picture finds it a habit, of its own tenant alone", arguments: StoreBackend.allCases)
    func habit(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, server) = try await test.store.addTenant()
            let (bob, _) = try await test.store.addTenant("bob", on: server)
            let messages: [Message.ID] = (0..<4).map { _ in makeID() }
            for (number, message) in messages.enumerated() {
                #expect(
                    try await test.store.usualPictures(of: ada.id, besides: message) == (number < 3 ? [] : [Self.logo]))
                // However often it is read.
                for _ in 0..<2 {
                    let pictures = number == 0 ? [Self.logo, Self.photo] : [Self.logo]
                    try await test.store.note(pictures, of: message, from: ada.id, now: .noon + Double(number))
                }
            }
            #expect(try await test.store.usualPictures(of: bob.id, besides: messages[0]).isEmpty)
            // A message is not its own habit.
            #expect(try await test.store.usualPictures(of: ada.id, besides: messages[0]) == [Self.logo])
        }
    }

    @Test("of many pictures the oldest are forgotten, but no habit that goes on", arguments: StoreBackend.allCases)
    func bound(_ backend: StoreBackend) async throws {
        try await backend.withStore { test in
            let (ada, _) = try await test.store.addTenant()
            let old = [UInt8](repeating: 3, count: 32)
            for picture in [old, old, old, Self.logo, Self.logo, Self.logo] {
                try await test.store.note([picture], of: makeID(), from: ada.id, now: .noon)
            }
            for number in 1...60 {
                let others = (0..<19).map { [UInt8](repeating: UInt8(number), count: 31) + [$0] }
                try await test.store.note(
                    [Self.logo] + others, of: makeID(), from: ada.id, now: .noon + Double(number))
            }
            #expect(try await test.store.usualPictures(of: ada.id, besides: makeID()) == [Self.logo])
        }
    }
}
