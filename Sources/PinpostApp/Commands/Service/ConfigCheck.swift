import PinpostCore

extension Command {
    static let configCheck = Command(
        "config check", "check the settings and print every problem at once",
        notes: "Reads the environment and \(EnvironmentFile.standardPath); docs/configuration.md lists the settings."
    ) { _, context in
        do {
            let configuration = try context.configuration()
            let folders = FolderCheck(configuration: configuration).problems
            guard folders.isEmpty else { throw ConfigurationProblems(problems: folders) }
            try context.print(CheckedConfiguration(configuration)) { $0.text }
            return .done
        } catch let error as ConfigurationProblems {
            try context.print(["problems": error.problems]) { _ in "\(error)\n" }
            return .configuration
        }
    }
}

/// The settings that are in force; no secret is among them.
private struct CheckedConfiguration: Encodable {
    let data: String
    let listen: String
    let publicURL: String
    let mailAddress: String
    let pinryQuiet: Double
    let egressAllow: [String]
    let decoders: Int
    let logLevel: String
    let problems: [ConfigurationProblems.Problem] = []

    enum CodingKeys: String, CodingKey {
        case data, listen
        case publicURL = "public_url"
        case mailAddress = "mail_address"
        case pinryQuiet = "pinry_quiet"
        case egressAllow = "egress_allow"
        case decoders
        case logLevel = "log_level"
        case problems
    }

    init(_ configuration: Configuration) {
        data = configuration.data.folder
        listen = configuration.listener.address.description
        publicURL = configuration.listener.publicURL
        mailAddress = "\(configuration.mail.addressing.mailbox)@\(configuration.mail.addressing.domain)"
        pinryQuiet = configuration.pinry.quiet
        egressAllow = configuration.egress.allowed.map(\.description)
        decoders = configuration.media.decoders
        logLevel = configuration.log.level.rawValue
    }

    var text: String {
        let rows = [
            ["data folder", data], ["listens on", listen], ["public URL", publicURL], ["mail address", mailAddress],
            ["quiet period", "\(pinryQuiet) s"], ["decoders", String(decoders)], ["log level", logLevel],
            ["also reachable", egressAllow.isEmpty ? "nothing" : egressAllow.joined(separator: ", ")],
        ]
        return TextTable(rows).text + "The configuration is right.\n"
    }
}
