import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import PinpostApp

@Suite("Admin socket", .timeLimit(.minutes(10)))
struct AdminSocketTests {
    /// A thread for the client's blocking calls: Swift's own ones serve the daemon.
    private let thread = BlockingPool(width: 1)

    private func connect(_ stage: Stage) async throws -> LocalSocket {
        try await thread.run { () throws(SystemFailure) in
            try LocalSocket.connect(to: stage.socket, deadline: Patience.seconds)
        }
    }

    private func reply(from socket: LocalSocket) async throws -> String? {
        let frame = try await thread.run { () throws(SystemFailure) in try socket.readFrame(limit: 10_000) }
        return frame.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("belongs to its owner alone and goes with the daemon")
    func file() async throws {
        try await Stage.open { stage in
            try await stage.withDaemon {
                var facts = stat()
                #expect(stat(stage.socket, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
                let socket = try await connect(stage)
                #expect(socket.peer == geteuid())
            }
            #expect(access(stage.socket, F_OK) != 0)
        }
    }

    @Test("takes the place of a socket that a crash left")
    func stale() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            // Bound and then dropped, as by a kill: the file stays, and nobody listens.
            _ = try LocalSocket.listen(on: stage.socket)
            #expect(access(stage.socket, F_OK) == 0)
            #expect(try await stage.run("tenant", "list").exit == .done)
            try await stage.withDaemon {
                let outcome = try await stage.run("tenant", "show")
                #expect(outcome.exit == .done)
            }
        }
    }

    @Test("answers nonsense with an error and goes on", arguments: ["", "{", "{\"action\":\"no.such\"}", "[]"])
    func nonsense(_ frame: String) async throws {
        try await Stage.open(.besideDaemon) { stage in
            let socket = try await connect(stage)
            try socket.writeFrame(Array(frame.utf8))
            let answer = try await reply(from: socket)
            #expect(answer?.contains("failure") == true)
            #expect(try await stage.run("tenant", "list").exit == .done)
        }
    }

    @Test("drops a client that announces too much")
    func tooLarge() async throws {
        try await Stage.open(.besideDaemon) { stage in
            let socket = try await connect(stage)
            _ = send(socket.descriptor, [0xFF, 0xFF, 0xFF, 0xFF], 4, CInt(MSG_NOSIGNAL))
            #expect(try await reply(from: socket) == nil)
            #expect(try await stage.run("tenant", "list").exit == .done)
        }
    }

    @Test("a client that dies in the middle of a mail leaves nothing behind")
    func brokenBody() async throws {
        try await Stage.open(.besideDaemon) { stage in
            try await stage.addAda()
            let address = try #require(try await stage.run("address", "add", "--json").object()["address"]?.text)
            do {
                let socket = try await connect(stage)
                let action = IngestMail(recipient: address, sender: nil)
                try socket.writeFrame(try AdminFrame.encode(Request(arguments: action)))
                try socket.writeFrame(Array("Subject: half".utf8))
                shutdown(socket.descriptor, CInt(SHUT_WR))
                let answer = try await reply(from: socket)
                #expect(answer?.contains("failure") == true)
            }
            #expect(try await stage.run("message", "list", "--json").output == "[]\n")
        }
    }

    @Test("serves many clients at once")
    func many() async throws {
        try await Stage.open(.besideDaemon) { stage in
            try await stage.addAda()
            let exits = try await withThrowingTaskGroup(of: ExitCode.self) { group in
                for _ in 0..<50 { group.addTask { try await stage.run("tenant", "list").exit } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(exits.count == 50 && exits.allSatisfy { $0 == .done })
        }
    }

    @Test("an idle client does not hold up the stop")
    func idleClient() async throws {
        try await Stage.open { stage in
            let idle = Mutex<LocalSocket?>(nil)
            let lines = Mutex("")
            try await stage.withDaemon(logger: Logger(level: .debug) { line in lines.withLock { $0 += line } }) {
                let socket = try await connect(stage)
                idle.withLock { $0 = socket }
            }
            // Whose patience with a silent client ends, after a minute, says so.
            #expect(lines.withLock { $0.isEmpty })
            #expect(idle.withLock { $0 != nil })
        }
    }
}
