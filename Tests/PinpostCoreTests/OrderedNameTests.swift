import FoundationEssentials
import PinpostCore
import Testing

@Suite("Names of things that come in crowds")
struct OrderedNameTests {
    private static let start = Date(timeIntervalSince1970: 1_750_000_000)

    private static func surroundings(at time: Date) -> Surroundings {
        Surroundings(now: { time }, random: { SystemRandomNumberGenerator() })
    }

    @Test("an identifier sorts behind the earlier ones, and is as random as one without its time")
    func identifiers() {
        let ids = (0..<1_000).map { number -> String in
            let id: Item.ID = Self.surroundings(at: Self.start + Double(number) * 0.002).makeID()
            return id.rawValue
        }
        let isSorted = ids == ids.sorted()
        #expect(isSorted)
        #expect(ids.allSatisfy { $0.utf8.count == 34 })
        #expect(Set(ids.map { $0.suffix(26) }).count == 1_000)
    }

    @Test("two identifiers of one moment have nothing but their time in common")
    func oneMoment() {
        let (one, other): (Item.ID, Item.ID) = (
            Self.surroundings(at: Self.start).makeID(), Self.surroundings(at: Self.start).makeID()
        )
        #expect(one.rawValue.prefix(8) == other.rawValue.prefix(8))
        #expect(one != other)
    }

    @Test("delivery keys sort as their times, and no two are equal")
    func keys() {
        let keys = (0..<1_000).map { Self.surroundings(at: Self.start + Double($0) * 0.002).makeKey() }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        #expect(keys.allSatisfy { $0.count == 32 })
        #expect(Self.surroundings(at: Self.start).makeKey() != Self.surroundings(at: Self.start).makeKey())
    }

    @Test("a clock before 1970 and one far ahead still give names", arguments: [-1e12, 1e15])
    func strangeClocks(time: Double) {
        let id: Item.ID = Self.surroundings(at: Date(timeIntervalSince1970: time)).makeID()
        #expect(id.rawValue.utf8.count == 34)
    }
}
