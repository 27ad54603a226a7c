import FoundationEssentials
import PinpostCore
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    let noon = Date(timeIntervalSince1970: 1_750_000_000)

    @Test(
        "pauses grow as written and stay within a fifth of it",
        arguments: [
            (1, 5.0), (2, 30), (3, 120), (4, 600), (5, 1_800), (6, 7_200), (7, 21_600), (8, 43_200), (9, 43_200),
            (1_000, 43_200), (0, 5), (-1, 5),
        ])
    func pauses(attempt: Int, seconds: TimeInterval) throws {
        var random = SplitMix(seed: UInt64(bitPattern: Int64(attempt)))
        for _ in 0..<200 {
            let next = try #require(RetryPolicy().next(after: attempt, queuedAt: noon, now: noon, using: &random))
            let pause = next.timeIntervalSince(noon)
            #expect(pause >= seconds * 0.8 && pause <= seconds * 1.2)
        }
    }

    @Test("two draws differ, so that many items do not come back at once")
    func jitter() {
        var random = SplitMix(seed: 1)
        let draws = Set((0..<50).map { _ in RetryPolicy().next(after: 4, queuedAt: noon, now: noon, using: &random) })
        #expect(draws.count == 50)
    }

    @Test(
        "what the server asks for is never shortened, but clamped to a day",
        arguments: [(3_600.0, 3_600.0), (1e9, 86_400), (.infinity, 86_400)])
    func retryAfter(asked: TimeInterval, least: TimeInterval) throws {
        var random = SplitMix(seed: 2)
        let next = RetryPolicy().next(after: 1, retryAfter: asked, queuedAt: noon, now: noon, using: &random)
        #expect(try #require(next).timeIntervalSince(noon) == least)
    }

    @Test("a negative wish of the server shortens nothing")
    func negativeRetryAfter() throws {
        var random = SplitMix(seed: 3)
        let next = RetryPolicy().next(after: 1, retryAfter: -5, queuedAt: noon, now: noon, using: &random)
        #expect(try #require(next).timeIntervalSince(noon) >= 4)
    }

    @Test("after five days there is no next attempt")
    func horizon() {
        var random = SplitMix(seed: 4)
        let policy = RetryPolicy()
        let late = noon + 5 * 86_400
        #expect(policy.next(after: 2, queuedAt: noon, now: late - 1, using: &random) != nil)
        #expect(policy.next(after: 2, queuedAt: noon, now: late, using: &random) == nil)
    }
}

@Suite("Breaker")
struct BreakerTests {
    let noon = Date(timeIntervalSince1970: 1_750_000_000)

    @Test("opens at the fifth failure for 30 seconds and doubles up to half an hour")
    func opens() {
        var breaker = Breaker()
        let pauses = (0..<14).map { _ in breaker.fail(at: noon)?.timeIntervalSince(noon) }
        #expect(pauses == [nil, nil, nil, nil, 30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800, 1_800])
        #expect(breaker.isTrial)
    }

    @Test("one success closes it")
    func closes() {
        var breaker = Breaker(failures: 9)
        breaker.succeed()
        #expect(!breaker.isTrial)
        #expect(breaker.fail(at: noon) == nil)
    }
}

/// A generator with a seed, so that a failing draw can be repeated (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
