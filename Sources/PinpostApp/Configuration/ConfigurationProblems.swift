/// Everything that is wrong with the configuration, in one go.
public struct ConfigurationProblems: Error, Sendable, Hashable {
    public struct Problem: Sendable, Hashable, Codable {
        /// The environment variable.
        public let name: String
        /// What is wrong with it; never its value where that is a secret.
        public let problem: String
        /// What to do.
        public let remedy: String
    }

    public let problems: [Problem]
}

extension ConfigurationProblems: CustomStringConvertible {
    public var description: String {
        problems.map { "\($0.name): \($0.problem) \($0.remedy)" }.joined(separator: "\n")
    }
}
