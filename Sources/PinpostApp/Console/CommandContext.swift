import FoundationEssentials
import Glibc
import PinpostCore

/// What a verb works with: the console, the configuration, and the way to the store.
struct CommandContext: Sendable {
    let console: Console
    /// The process's environment, before the environment file is added.
    let environment: [String: String]
    let environmentFile: String
    /// The words of the command line, for the hint how to run it as another user.
    let words: [String]
    let isJSON: Bool
    let openFolder: FolderOpener
    let pool: BlockingPool

    func configuration() throws -> Configuration {
        let merged = try EnvironmentFile.merge(environmentFile, under: environment)
        return try Configuration.read(
            from: merged, isRoot: geteuid() == 0, currentFolder: FileManager.default.currentDirectoryPath)
    }

    /// Gives the running daemon to `body`, or the data folder opened by this process when there is no daemon.
    func withAdministration<Result: Sendable>(
        _ body: (any AdminConnection) async throws -> Result
    ) async throws -> Result {
        let configuration = try configuration()
        let owner = DataOwner(of: configuration.data.folder)
        if let owner, !owner.isUs, geteuid() != 0 { throw owner.refusal(words) }
        if let daemon = try await SocketConnection.open(configuration.data.socket, pool: pool) {
            return try await body(daemon)
        }
        if let owner, !owner.isUs { throw owner.refusal(words) }
        let folder = try await openFolder(configuration)
        do {
            let result = try await body(LocalConnection(folder: folder))
            await folder.close()
            return result
        } catch {
            await folder.close()
            throw error
        }
    }

    func perform<Action: AdminAction>(_ action: Action) async throws -> Action.Answer {
        try await withAdministration { try await $0.perform(action) }
    }

    /// Prints a result: as JSON where that was asked for, else as text for people.
    func print<Report: Encodable>(_ report: Report, _ text: (Report) -> String) throws {
        console.write(isJSON ? try JSONOutput.line(report) : text(report))
    }

    /// A hint for people; scripts do not get it.
    func hint(_ text: String) {
        if !isJSON { console.writeError(text + "\n") }
    }
}

/// Opens the data folder under its lock.
typealias FolderOpener = @Sendable (Configuration) async throws -> OpenedFolder

/// JSON as `--json` prints it.
enum JSONOutput {
    /// One line with sorted keys.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}
