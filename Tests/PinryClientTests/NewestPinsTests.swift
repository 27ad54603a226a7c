import FoundationEssentials
import Testing

@testable import PinryClient

/// Reading down a list that others change: no pin that stays may be missed.
@Suite("Reading the newest pins")
struct NewestPinsTests {
    private func page(_ ids: ArraySlice<Int>, isLast: Bool) throws -> Wire.Page<Wire.Pin> {
        let rows = ids.map { "{\"id\":\($0)}" }.joined(separator: ",")
        let text = "{\"results\":[\(rows)],\"next\":\(isLast ? "null" : "\"more\"")}"
        return try JSONDecoder().decode(Wire.Page<Wire.Pin>.self, from: Data(text.utf8))
    }

    /// Reads a list to its end while `change` alters it between the pages; what was seen.
    private func read(
        _ list: inout [Int], downTo floor: Int, change: (inout [Int]) -> Void
    ) throws -> (seen: Set<Int>, pages: Int) {
        var reading = NewestPins(floor: Int64(floor))
        var seen: Set<Int> = []
        for pages in 1...10_000 {
            let rows = list.dropFirst(reading.offset).prefix(50)
            seen.formUnion(rows)
            let isLast = reading.offset + 50 >= list.count
            if reading.isFinished(after: try page(rows, isLast: isLast), size: 50, overlap: 10) { return (seen, pages) }
            change(&list)
        }
        return (seen, 10_000)
    }

    @Test("every pin above the floor that was there all the time is seen, whatever comes and goes", arguments: 0..<200)
    func nothingMissed(_ seed: Int) throws {
        var random = SeededRandom(state: UInt64(seed))
        var list = Array((1...600).reversed())
        let atStart = Set(list)
        var next = 601
        let floor = Int.random(in: 0...500, using: &random)
        let (seen, _) = try read(&list, downTo: floor) { list in
            // More deletions at once than two pages share, mostly of pins already read.
            for _ in 0..<Int.random(in: 0...30, using: &random) where !list.isEmpty {
                list.remove(at: Int.random(in: 0..<min(list.count, 120), using: &random))
            }
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                list.insert(next, at: 0)
                next += 1
            }
        }
        let missed = Set(list).intersection(atStart).filter { $0 > floor }.subtracting(seen)
        #expect(missed.isEmpty)
    }

    @Test("a quiet list is read in as few pages as its length asks for, and only down to the floor")
    func economy() throws {
        var list = Array((1...600).reversed())
        #expect(try read(&list, downTo: 590) { _ in }.pages == 1)
        #expect(try read(&list, downTo: 500) { _ in }.pages == 3)
        #expect(try read(&list, downTo: 0) { _ in }.pages == 15)
        var empty: [Int] = []
        #expect(try read(&empty, downTo: 0) { _ in }.pages == 1)
    }

    @Test("a list in another order is read to its end instead of to the floor")
    func otherOrder() throws {
        var list = Array(1...120)
        #expect(try read(&list, downTo: 60) { _ in }.seen == Set(1...120))
    }

    private struct SeededRandom: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
