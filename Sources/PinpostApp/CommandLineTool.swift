import Glibc
import PinpostCore

/// The program: finds the verb, runs it, and turns every error into one sentence and an exit code.
struct CommandLineTool: Sendable {
    let table: CommandTable
    let console: Console
    let environment: [String: String]
    var environmentFile = EnvironmentFile.standardPath
    let openFolder: FolderOpener

    func run(_ words: [String]) async -> ExitCode {
        let isJSON = words.prefix { $0 != "--" }.contains("--\(Command.json.name)")
        do {
            switch try table.parse(words) {
            case .help(let text):
                console.write(text)
                return .done
            case .run(let command, let arguments):
                let context = CommandContext(
                    console: console, environment: environment, environmentFile: environmentFile, words: words,
                    isJSON: isJSON, openFolder: openFolder,
                    pool: BlockingPool(width: 2))
                return try await command.run(arguments, context)
            }
        } catch {
            let failure = Failure(error)
            let isPipe = table.command(beginning: words)?.isPipe ?? false
            return report(isPipe ? failure.asMailServersExpect : failure, isJSON: isJSON)
        }
    }

    private func report(_ failure: Failure, isJSON: Bool) -> ExitCode {
        if isJSON, let line = try? JSONOutput.line(["error": FailureReport(failure)]) { console.write(line) }
        console.writeError("pinpost: \(failure.detail)\n")
        return failure.exit
    }
}

extension Failure {
    /// With the exit code for a verb that mail servers run.
    fileprivate var asMailServersExpect: Failure {
        switch exit {
        case .wrongData, .unknownAddress, .tryLater: self
        case .done, .refused, .usage, .unavailable, .notAllowed, .configuration: Failure(code, detail, exit: .tryLater)
        }
    }
}

/// A failure as scripts see it.
private struct FailureReport: Encodable {
    let code: String
    let detail: String

    init(_ failure: Failure) {
        code = failure.code
        detail = failure.detail
    }
}
