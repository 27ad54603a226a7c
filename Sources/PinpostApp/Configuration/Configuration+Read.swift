import Cryptography
import PinpostCore

extension Configuration {
    /// Reads the environment; pure, so that every problem can be shown at once.
    ///
    /// Relative paths are refused, since service and command line start in different folders. Where the data are when
    /// nothing says so depends on whether the user is root.
    public static func read(
        from environment: [String: String], isRoot: Bool = false
    ) throws(ConfigurationProblems) -> Configuration {
        var reader = ConfigurationReader(environment)
        let folder = reader.dataFolder(home: environment["HOME"], isRoot: isRoot)
        let configuration = Configuration(
            data: DataSettings(folder: folder),
            listener: reader.listener(),
            keys: KeySources(
                file: reader.path(.masterKeysFile), credentialsFolder: environment["CREDENTIALS_DIRECTORY"],
                dataFolder: folder, environment: reader.secret(.masterKeys)),
            mail: MailSettings(address: reader.mailAddress() ?? MailSettings.standard),
            pinry: PinrySettings(quiet: reader.quiet() ?? PinrySettings.standardQuiet),
            egress: EgressSettings(allowed: reader.allowedHosts() ?? []),
            media: MediaSettings(decoders: reader.decoders() ?? MediaSettings.standardDecoders),
            log: LogSettings(
                format: reader.choice(.log, of: Logger.Format.self),
                level: reader.choice(.logLevel, of: Logger.Level.self) ?? LogSettings.standardLevel))
        guard reader.problems.isEmpty else { throw ConfigurationProblems(problems: reader.problems) }
        return configuration
    }
}

extension ConfigurationReader {
    fileprivate mutating func dataFolder(home: String?, isRoot: Bool) -> String {
        if let path = path(.data) { return path }
        let system = "/var/lib/pinpost"
        if isRoot { return system }
        if let home, home.hasPrefix("/") { return home.withoutTrailingSlash + "/.local/share/pinpost" }
        if text(.data) == nil {
            complain(about: ConfigurationKey.data.rawValue, "It is not set, and HOME neither.", "Set it to a folder.")
        }
        return system
    }

    fileprivate mutating func path(_ key: ConfigurationKey) -> String? {
        value(key, expected: "an absolute path such as /var/lib/pinpost") { text in
            text.hasPrefix("/") ? text.withoutTrailingSlash : nil
        }
    }

    fileprivate mutating func listener() -> ListenerSettings {
        let expected = "ADDRESS:PORT such as 127.0.0.1:8080, [::1]:8080, or :8080 for all addresses"
        let address = value(.listen, expected: expected) { text in
            HostAndPort(text.hasPrefix(":") ? "0.0.0.0" + text : text)
        }
        let url = value(
            .publicURL, expected: "an http:// or https:// URL without query, such as https://pins.example.org"
        ) { text in
            let isWeb = text.hasPrefix("http://") || text.hasPrefix("https://")
            let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "?#@".contains($0) }
            return isWeb && isPlain && !text.hasSuffix("//") ? text.withoutTrailingSlash : nil
        }
        let listening = address ?? ListenerSettings.standard
        return ListenerSettings(address: listening, publicURL: url ?? "http://\(listening.reachable)")
    }

    fileprivate mutating func mailAddress() -> String? {
        value(.mailAddress, expected: "a mail address such as pins@example.org") { text in
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            let isPlain =
                text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && !text.contains { "+<>(),;:\\\"".contains($0) }
            return parts.count == 2 && !parts.contains("") && isPlain && text.utf8.count <= 200 ? text : nil
        }
    }

    fileprivate mutating func quiet() -> Double? {
        let range = PinrySettings.quietRange
        let expected = "a number of seconds from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
        return value(.pinryQuiet, expected: expected) { text in Double(text).flatMap { range.contains($0) ? $0 : nil } }
    }

    fileprivate mutating func allowedHosts() -> [HostAndPort]? {
        value(.egressAllow, expected: "a list of HOST:PORT, with commas between them") { text in
            let entries = text.split(separator: ",").map { HostAndPort($0.trimmed) }
            return entries.count <= 100 && !entries.contains(nil) ? entries.compactMap { $0 } : nil
        }
    }

    fileprivate mutating func decoders() -> Int? {
        let range = MediaSettings.decoderRange
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(.decoders, expected: expected) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}
