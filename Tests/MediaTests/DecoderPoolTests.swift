import DecoderProtocol
import Glibc
import PinpostCore
import Testing

@testable import Media

@Suite("Decoder pool", .timeLimit(.minutes(10)))
struct DecoderPoolTests {
    private func error(of misdeed: Misdeed, in pool: DecoderPool = Workshop.pool) async throws -> MediaError {
        let error = await #expect(throws: MediaError.self) { try await pool.perform(.misbehave(misdeed)) }
        return try #require(error)
    }

    @Test(
        "the sandbox stops a decoder that opens a file, opens a socket or starts a program",
        arguments: [Misdeed.openFile, .openSocket, .startProcess])
    func sandbox(_ misdeed: Misdeed) async throws {
        let error = try await error(of: misdeed)
        #expect(error.code == .decoderFailed)
        #expect(error.detail.contains("forbidden"))
    }

    @Test("memory and output have an end")
    func limits() async throws {
        #expect(try await error(of: .allocateEverything).code == .overLimit)
        #expect(try await error(of: .writeTooMuch).code == .overLimit)
    }

    @Test("a decoder that crashes is one error, and the pool goes on")
    func crash() async throws {
        let crash = try await error(of: .crash)
        #expect(crash.code == .decoderFailed && crash.detail.contains("signal \(SIGSEGV)"))
        #expect(try await error(of: .exitSilently).code == .decoderFailed)
        let (output, _) = try await Workshop.pool.perform(.check(.png), on: Workshop.fixture("corners.png")[...])
        #expect((output.width, output.height) == (48, 32))
    }

    @Test("a decoder that never answers is killed when its time is over")
    func deadline() async throws {
        var configuration = DecoderPool.Configuration()
        configuration.jobLimit = .milliseconds(200)
        let error = try await error(of: .spin, in: DecoderPool(Workshop.executables, configuration))
        #expect(error.code == .decoderFailed && error.detail.contains("too long"))
    }

    @Test("cancelling the task kills its decoder")
    func cancellation() async throws {
        let task = Task { try await Workshop.pool.perform(.misbehave(.spin)) }
        task.cancel()
        let error = await #expect(throws: MediaError.self) { try await task.value }
        #expect(error?.code == .unavailable)
    }

    @Test("a missing program is a reason that names it")
    func missingProgram() async throws {
        let pool = DecoderPool(DecoderExecutables(folder: "/nonexistent"))
        let error = await #expect(throws: MediaError.self) { try await pool.perform(.check(.png)) }
        #expect(error?.code == .unavailable)
        #expect(error?.detail.contains("/nonexistent/pinpost-decoder") == true)
        await #expect(throws: MediaError.self) { try await pool.run(until: Shutdown()) }
    }

    @Test("a service keeps spares, replaces them, and leaves no process behind")
    func service() async throws {
        let pool = DecoderPool(Workshop.executables)
        let shutdown = Shutdown()
        let bytes = try Workshop.fixture("corners.jpg")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pool.run(until: shutdown) }
            for _ in 0..<8 {
                group.addTask { _ = try await pool.perform(.check(.jpeg), on: bytes[...]) }
            }
            for _ in 0..<8 { try await group.next() }
            // The service may begin after the last job.
            while pool.spareCount == 0, !Task.isCancelled { await Task.yield() }
            #expect(pool.spareCount > 0)
            shutdown.request()
            try await group.waitForAll()
        }
        #expect(pool.spareCount == 0)
    }

    @Test("what a decoder says is shown as plain words only")
    func plainWords() {
        let error = MediaError(Failure(.damaged, "bad\n\u{1B}[31m marker…. . "))
        #expect(error.detail == "The picture is damaged: bad[31m marker.")
    }

    @Test("a job for another role is refused by the decoder")
    func wrongFormat() async throws {
        let bytes = try Workshop.fixture("corners.png")
        let error = await #expect(throws: MediaError.self) {
            try await Workshop.pool.perform(.check(.jpeg), on: bytes[...])
        }
        #expect(error?.code == .damaged)
    }
}
