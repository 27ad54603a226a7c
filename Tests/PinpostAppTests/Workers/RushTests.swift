import PinpostCore
import Testing

@testable import PinpostApp

@Suite("A rush of messages")
struct RushTests {
    private let start = ContinuousClock.now

    @Test("is one from twenty commits a second on, and over as soon as they are fewer")
    func rates() {
        var rush = Rush(generation: 0, now: start)
        rush.look(at: 1, now: start + .milliseconds(100))
        #expect(!rush.isOn)
        rush.look(at: 30, now: start + .milliseconds(200))
        #expect(rush.isOn)
        // Too soon to say anything else.
        rush.look(at: 30, now: start + .milliseconds(250))
        #expect(rush.isOn)
        rush.look(at: 32, now: start + .milliseconds(400))
        #expect(!rush.isOn)
    }

    @Test("has smaller batches the longer a message takes, so that the rest after one is long enough")
    func batches() {
        var rush = Rush(generation: 0, now: start)
        rush.note(16, took: .seconds(2))
        #expect(rush.batch == 16)
        rush.look(at: 30, now: start + .milliseconds(200))
        #expect(rush.batch == 2)
        rush.note(2, took: .milliseconds(20))
        #expect(rush.batch == 5)
        rush.note(5, took: .zero)
        #expect(rush.batch == 16)
        rush.look(at: 30, now: start + .milliseconds(400))
        rush.note(16, took: .seconds(2))
        #expect(rush.batch == 16)
    }

    @Test("does not slow the reading of mail that is fetched: nobody waits for an answer")
    func fetched() {
        #expect(Rush.slows(Envelope()))
        #expect(!Rush.slows(Envelope(mailbox: WatchedMailbox.ID("m"))))
    }

    @Test("lets reading rest nine times as long as it worked, but never for long")
    func rest() {
        #expect(Rush.rest(after: .milliseconds(1)) == .milliseconds(50))
        #expect(Rush.rest(after: .milliseconds(100)) == .milliseconds(900))
        #expect(Rush.rest(after: .seconds(20)) == .seconds(1))
    }
}
