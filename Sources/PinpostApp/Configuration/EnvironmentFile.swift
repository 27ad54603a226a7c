import Glibc
import PinpostCore

/// The file from which systemd gives the service its environment: the command line reads it as well.
enum EnvironmentFile {
    static let standardPath = "/etc/pinpost/pinpost.env"
    private static let limit = 256 * 1024

    /// What the file says, overridden by what the process was given.
    ///
    /// A file that is not there adds nothing; one that may not be read is reported, since the settings in it would be
    /// missed without a word.
    static func merge(_ path: String, under environment: [String: String]) throws(ConfigurationProblems) -> [String:
        String]
    {
        guard let text = try read(path) else { return environment }
        return try parse(text, path: path).merging(environment) { _, given in given }
    }

    private static func read(_ path: String) throws(ConfigurationProblems) -> String? {
        do {
            return String(decoding: try ReadFile.bytes(of: path, limit: limit), as: UTF8.self)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw ConfigurationProblems(problems: [
                .init(
                    name: path, problem: "The file cannot be read (\(error.reason)).",
                    remedy: "Run the command as root or as the user of the service: sudo -u pinpost pinpost …")
            ])
        }
    }

    /// `NAME=VALUE` lines as systemd reads them: `#` and `;` start comments, one pair of quotes around a value goes.
    static func parse(_ text: String, path: String) throws(ConfigurationProblems) -> [String: String] {
        var values: [String: String] = [:]
        var problems: [ConfigurationProblems.Problem] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
            guard let equals = line.firstIndex(of: "="), equals != line.startIndex else {
                problems.append(
                    .init(name: "\(path):\(index + 1)", problem: "This is no setting.", remedy: "Write NAME=VALUE."))
                continue
            }
            values[line[..<equals].trimmed] = unquoted(line[line.index(after: equals)...].trimmed)
        }
        guard problems.isEmpty else { throw ConfigurationProblems(problems: problems) }
        return values
    }

    private static func unquoted(_ value: String) -> String {
        for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
            return String(value.dropFirst().dropLast())
        }
        return value
    }
}
