import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Synchronization
import Testing

@testable import PinpostApp

/// A data folder of its own and a Pinry with one account, `ada`, whose token is `ada-token`.
struct Stage: Sendable {
    /// How the command line reaches the store.
    enum Way: Sendable, CaseIterable {
        case alone, besideDaemon
    }

    struct Outcome: Sendable {
        let exit: ExitCode
        let output: String
        let errors: String
    }

    let folder: String
    let pinry: PinryDouble
    /// Settings beside those of `environment`.
    private var settings: [String: String] = [:]

    /// Runs `body` on a fresh stage, with a daemon or without; everything goes afterwards.
    static func open(_ way: Way = .alone, _ body: @Sendable (Stage) async throws -> Void) async throws {
        var random = SystemRandom()
        let folder = "/tmp/pinpost-stage-\(Identifier<Stage>.random(using: &random))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pinry = try PinryDouble()
        defer {
            pinry.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }
        pinry.addUser("ada", token: "ada-token")
        _ = pinry.addBoard("Trips", of: "ada")
        let stage = Stage(folder: folder, pinry: pinry)
        switch way {
        case .alone: try await body(stage)
        case .besideDaemon: try await stage.withDaemon { try await body(stage) }
        }
    }

    var environment: [String: String] {
        [
            "PINPOST_DATA": "\(folder)/data", "PINPOST_PINRY_QUIET": "0.1", "PINPOST_LOG_LEVEL": "error",
        ].merging(settings) { _, given in given }
    }

    func with(_ settings: [String: String]) -> Stage {
        var stage = self
        stage.settings = settings
        return stage
    }

    var socket: String { "\(folder)/data/pinpost.sock" }

    /// Runs `body` while the admin socket is served; nothing is delivered.
    func withDaemon(logger: Logger = .silent, _ body: @Sendable () async throws -> Void) async throws {
        let configuration = try Configuration.read(from: environment)
        let opened = try await OpenedFolder.open(configuration)
        let ready = Signal()
        let service = AdminSocketService(
            path: configuration.data.socket, handler: AdminHandler(desk: opened.desk), logger: logger, ready: ready)
        let shutdown = Shutdown()
        async let serving: Void = service.run(until: shutdown)
        await ready.wait(after: 0, upTo: Patience.limit)
        do {
            try await body()
        } catch {
            shutdown.request()
            try? await serving
            await opened.close()
            throw error
        }
        shutdown.request()
        try await serving
        await opened.close()
    }

    /// Lends a connection such as the command line has.
    func connected(
        _ body: @Sendable (any AdminConnection, BlockingPool) async throws -> Void
    ) async throws {
        let pool = BlockingPool(width: 2)
        if let daemon = try await SocketConnection.open(socket, pool: pool) { return try await body(daemon, pool) }
        let opened = try await OpenedFolder.open(Configuration.read(from: environment))
        do {
            try await body(LocalConnection(folder: opened), pool)
        } catch {
            await opened.close()
            throw error
        }
        await opened.close()
    }

    /// Runs the program with these words and `input` on standard input; nobody sits at the terminal unless `person` does.
    func run(
        _ words: [String], input: [UInt8] = [], person: @Sendable (inout Console) -> Void = { _ in }
    ) async throws -> Outcome {
        let file = try self.file("input", input)
        let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let collected = Collected()
        var console = Console(
            write: { collected.add(output: $0) }, writeError: { collected.add(errors: $0) }, input: descriptor,
            isInteractive: false, askSecret: { _ in nil }, ask: { _ in nil })
        person(&console)
        let tool = CommandLineTool(
            table: .all, console: console, environment: environment, environmentFile: "\(folder)/none.env",
            openFolder: OpenedFolder.open)
        let exit = await tool.run(words)
        return Outcome(exit: exit, output: collected.output, errors: collected.errors)
    }

    func run(_ words: String..., input: String = "") async throws -> Outcome {
        try await run(words, input: Array(input.utf8))
    }

    /// Writes a file beside the data folder; the result is its path.
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        var random = SystemRandom()
        let path = "\(folder)/\(Identifier<Stage>.random(using: &random))-\(name)"
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    /// Adds `ada`; the answer's fields.
    @discardableResult
    func addAda() async throws -> Outcome {
        let outcome = try await run(
            "tenant", "add", "ada", "--server", pinry.url, "--token-file", "-", "--allow-private", "--json",
            input: "ada-token\n")
        try #require(outcome.exit == .done, "\(outcome.errors)")
        return outcome
    }
}

extension Stage.Outcome {
    /// The JSON object that was printed.
    func object() throws -> [String: JSONField] {
        try JSONDecoder().decode([String: JSONField].self, from: Data(output.utf8))
    }
}

/// One value of a JSON object, as far as these tests look into it.
enum JSONField: Decodable, Hashable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case null
    case other

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else {
            self = .other
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
}

/// What a command has printed.
private final class Collected: Sendable {
    private let texts = Mutex((output: "", errors: ""))

    var output: String { texts.withLock { $0.output } }
    var errors: String { texts.withLock { $0.errors } }

    func add(output: String) { texts.withLock { $0.output += output } }
    func add(errors: String) { texts.withLock { $0.errors += errors } }
}
