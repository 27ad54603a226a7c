import PinpostCore

extension Command {
    static let configCheck = Command(
        "config check", "check the settings and print every problem at once",
        notes: "Reads the environment and \(EnvironmentFile.standardPath); docs/configuration.md lists the settings."
    ) { _, context in
        do {
            let configuration = try context.configuration()
            let problems = FileCheck(configuration: configuration).problems
            guard problems.isEmpty else { throw ConfigurationProblems(problems: problems) }
            try context.print(CheckedConfiguration(configuration)) { $0.text }
            return .done
        } catch let error as ConfigurationProblems {
            try context.print(["problems": error.problems]) { _ in "\(error)\n" }
            return .configuration
        }
    }
}
