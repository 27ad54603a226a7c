import FoundationEssentials
import PinpostCore
import Testing

@Suite("A limit of a rate")
struct RateTests {
    private let noon = Date(timeIntervalSince1970: 1_750_000_000)
    private let rate = Rate(perSecond: 2, burst: 4)

    @Test("gives out its supply, says how long it takes to come back, and fills up again to no more")
    func supply() {
        let table = BucketTable<Int>(rate, upTo: 10)
        for _ in 0..<4 { #expect(table.take(from: 1, at: noon) == nil) }
        #expect(table.take(from: 1, at: noon) == 0.5)
        #expect(table.take(from: 2, at: noon) == nil)
        #expect(table.take(from: 1, at: noon + 0.5) == nil)
        #expect(table.take(4, from: 1, at: noon + 100) == nil)
        #expect(table.take(from: 1, at: noon + 100) == 0.5)
    }

    @Test("may go below zero by what a request turns out to cost, but not without end")
    func debt() {
        let table = BucketTable<Int>(rate, upTo: 10)
        table.charge(1_000, to: 1, at: noon)
        #expect(table.take(from: 1, at: noon) == 2.5)
        #expect(table.take(from: 1, at: noon + 2.5) == nil)
    }

    @Test("never refuses for good what is greater than its supply")
    func tooGreat() {
        let table = BucketTable<Int>(rate, upTo: 10)
        #expect(table.lack(of: 1_000, for: 1, at: noon) == nil)
    }

    @Test("gains nothing when the clock is set back")
    func clock() {
        let table = BucketTable<Int>(rate, upTo: 10)
        for _ in 0..<4 { _ = table.take(from: 1, at: noon) }
        #expect(table.take(from: 1, at: noon - 1_000) != nil)
    }

    @Test("keeps its memory, and first forgets those who have all their supply")
    func memory() {
        let table = BucketTable<Int>(rate, upTo: 100)
        for _ in 0..<4 { _ = table.take(from: -1, at: noon + 10) }
        for key in 0..<10_000 { _ = table.lack(for: key, at: noon) }
        #expect(table.count <= 100)
        #expect(table.take(from: -1, at: noon + 10) != nil)
        for key in 0..<10_000 { _ = table.take(from: key, at: noon + 10) }
        #expect(table.count <= 100)
    }

    @Test("of nothing limits nothing")
    func none() {
        let table = BucketTable<Int>(nil, upTo: 10)
        for _ in 0..<10_000 { #expect(table.take(from: 1, at: noon) == nil) }
        #expect(table.count == 0)
    }
}
