import Testing

@testable import PinpostApp

@Suite("A rush of messages")
struct RushTests {
    private let start = ContinuousClock.now

    @Test("is one from a hundred commits a second on, and over as soon as they are fewer")
    func rates() {
        var rush = Rush(generation: 0, now: start)
        rush.look(at: 5, now: start + .milliseconds(100))
        #expect(!rush.isOn)
        rush.look(at: 30, now: start + .milliseconds(200))
        #expect(rush.isOn)
        // Too soon to say anything else.
        rush.look(at: 30, now: start + .milliseconds(250))
        #expect(rush.isOn)
        rush.look(at: 34, now: start + .milliseconds(400))
        #expect(!rush.isOn)
    }
}
