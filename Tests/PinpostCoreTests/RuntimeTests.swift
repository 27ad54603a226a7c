import PinpostCore
import Synchronization
import Testing

@Suite("Services and signals", .timeLimit(.minutes(10)))
struct RuntimeTests {
    private struct Work: Service {
        let name: String
        let body: @Sendable (Shutdown) async throws -> Void
        func run(until shutdown: Shutdown) async throws { try await body(shutdown) }
    }

    private struct Broken: Error {}

    @Test("a service that fails stops the others, and its error comes out")
    func failure() async {
        let stopped = Mutex(false)
        let group = ServiceGroup([
            Work(name: "waits") { shutdown in
                await shutdown.wait()
                stopped.withLock { $0 = true }
            },
            Work(name: "fails") { _ in throw Broken() },
        ])
        await #expect(throws: Broken.self) { try await group.run(until: Shutdown()) }
        #expect(stopped.withLock { $0 })
    }

    @Test("a stop is asked for once and ends every service")
    func stop() async throws {
        let shutdown = Shutdown()
        let group = ServiceGroup((0..<3).map { Work(name: "\($0)") { await $0.wait() } })
        async let run: Void = group.run(until: shutdown)
        shutdown.request()
        shutdown.request()
        try await run
        #expect(shutdown.isRequested)
    }

    @Test("a service that does not stop in time is cancelled")
    func grace() async throws {
        let shutdown = Shutdown()
        let group = ServiceGroup(
            [Work(name: "stubborn") { _ in try await Task.sleep(for: .seconds(3_600)) }], grace: .milliseconds(10))
        shutdown.request()
        try await group.run(until: shutdown)
    }

    @Test("a group whose services end by themselves ends")
    func ending() async throws {
        try await ServiceGroup([Work(name: "short") { _ in }]).run(until: Shutdown())
    }

    @Test("what fires between looking and waiting is not missed")
    func signal() async {
        let signal = Signal()
        let generation = signal.generation
        signal.fire()
        await signal.wait(after: generation, upTo: .seconds(3_600))
        #expect(signal.generation == generation + 1)
    }

    @Test("a waiting task wakes when the signal fires")
    func wakes() async {
        let signal = Signal()
        let generation = signal.generation
        async let waiting: Void = signal.wait(after: generation, upTo: .seconds(3_600))
        signal.fire()
        await waiting
    }

    @Test("cancellation ends a wait for the stop")
    func cancellation() async {
        let shutdown = Shutdown()
        let task = Task { await shutdown.wait() }
        task.cancel()
        await task.value
        #expect(!shutdown.isRequested)
    }

    @Test("blocking work runs beside each other and its errors come back typed")
    func pool() async {
        let pool = BlockingPool(width: 4)
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...100 { group.addTask { await pool.run { number } } }
            return await group.reduce(0, +)
        }
        #expect(sum == 5_050)
        await #expect(throws: StoreError(.diskFull)) {
            try await pool.run { () throws(StoreError) in throw StoreError(.diskFull) }
        }
    }
}

@Suite("Logger")
struct LoggerTests {
    private final class Lines: Sendable {
        private let lines = Mutex([String]())
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("a line is one JSON object, and secrets are redacted by type")
    func json() throws {
        let lines = Lines()
        let logger = Logger(level: .info, format: .json, write: lines.add).with(["tenant": "a\"b\n"])
        logger.debug("unseen")
        logger.warning("seen\u{1}", ["token": Secret(copying: Array("canary".utf8)), "count": 3, "ok": true])
        let line = try #require(lines.all.first)
        #expect(lines.all.count == 1)
        #expect(line.hasSuffix("}\n") && !line.dropLast().contains("\n"))
        #expect(line.contains(#""msg":"seen\u0001","tenant":"a\"b\n","token":"[redacted]","count":3,"ok":true"#))
        #expect(!line.contains("canary"))
    }

    @Test("text is for a terminal")
    func text() {
        let lines = Lines()
        Logger(level: .debug, format: .text, write: lines.add).debug("hello", ["item": Item.ID("abc")])
        #expect(lines.all == ["debug: hello item=\"abc\"\n"])
    }

    @Test("a secret shows itself in no description, dump or reflection")
    func secret() {
        let secret = Secret(copying: Array("canary".utf8))
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(describing: secret), String(reflecting: secret), dumped] {
            #expect(!text.contains("canary"))
        }
        #expect(secret.withBytes { String(decoding: $0, as: UTF8.self) } == "canary")
    }
}

@Suite("Lines of a text")
struct LineTests {
    @Test(
        "are the same, whichever way finds them",
        arguments: [
            "", "\n", "a", "a\n", "\n\na\nb", "a\r\nb\rc", "a\u{B}b\u{C}c", "a\u{85}b\u{2028}c\u{2029}d", "é\nè©\nа",
            "x\n\u{301}y",
        ])
    func lines(_ text: String) {
        #expect(text.lines == text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline))
    }
}
