import Cryptography
import Mail
import Media
import PinpostCore
import Web

extension Configuration {
    /// Reads the environment; pure, so that every problem can be shown at once.
    ///
    /// A relative path starts from `currentFolder`; without one it is refused. Where the data are when nothing says so
    /// depends on whether the user is root.
    public static func read(
        from environment: [String: String], isRoot: Bool = false, currentFolder: String? = nil
    ) throws(ConfigurationProblems) -> Configuration {
        var reader = ConfigurationReader(environment, currentFolder: currentFolder)
        let folder = reader.dataFolder(home: environment["HOME"], isRoot: isRoot)
        let mail = reader.mail()
        let listener = reader.listener()
        let outgoing = reader.outgoing()
        let keys = KeySources(
            file: reader.path(.masterKeysFile), credentialsFolder: environment["CREDENTIALS_DIRECTORY"],
            dataFolder: folder, environment: reader.secret(.masterKeys))
        let quiet = reader.quiet() ?? PinrySettings.standardQuiet
        let allowed = reader.allowedHosts() ?? []
        let media = MediaSettings(
            decoders: reader.wholeNumber(.decoders, in: MediaSettings.decoderRange) ?? MediaSettings.standardDecoders,
            megapixels: reader.wholeNumber(.pictureMegapixels, in: MediaSettings.megapixelRange)
                ?? MediaSettings.standardMegapixels,
            formats: reader.formats() ?? PictureType.readable)
        let format = reader.choice(.log, of: Logger.Format.self)
        let level = reader.choice(.logLevel, of: Logger.Level.self) ?? LogSettings.standardLevel
        guard let mail, reader.problems.isEmpty else { throw ConfigurationProblems(problems: reader.problems) }
        return Configuration(
            data: DataSettings(folder: folder, isStandard: reader.text(.data) == nil), listener: listener, keys: keys,
            mail: mail, outgoing: outgoing, pinry: PinrySettings(quiet: quiet),
            egress: EgressSettings(allowed: allowed), media: media,
            log: LogSettings(format: format, level: level))
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

    mutating func path(_ key: ConfigurationKey) -> String? {
        let start = currentFolder
        return value(key, expected: "an absolute path such as /var/lib/pinpost") { text in
            if text.hasPrefix("/") { return text.withoutTrailingSlash }
            return start.map { "\($0.withoutTrailingSlash)/\(text.withoutTrailingSlash)" }
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
        var settings = ListenerSettings(address: listening, publicURL: url ?? "http://\(listening.reachable)")
        settings.metrics = value(
            .metricsListen, expected: "127.0.0.1:PORT or [::1]:PORT, no name: nobody logs in there"
        ) {
            text in
            HostAndPort(text).flatMap { $0.isLoopback ? $0 : nil }
        }
        readLimits(into: &settings)
        return settings
    }

    private mutating func readLimits(into settings: inout ListenerSettings) {
        settings.trustedProxies =
            value(.trustedProxies, expected: "a list of addresses or ranges such as 10.0.0.0/8, with commas") { text in
                let entries = text.split(separator: ",").map(\.trimmed)
                return entries.count <= 100 && entries.allSatisfy { AddressRange($0) != nil } ? entries : nil
            } ?? settings.trustedProxies
        settings.hookRate = rate(.hookRate) ?? settings.hookRate
        settings.addressRate = rate(.addressRate) ?? settings.addressRate
        settings.refusedRate = rate(.refusedRate) ?? settings.refusedRate
        let range = 0...1_000_000_000
        settings.dailyMebibytes = wholeNumber(.dailyMebibytes, in: range) ?? settings.dailyMebibytes
        settings.hourlyItems = wholeNumber(.hourlyItems, in: range) ?? settings.hourlyItems
        settings.queuedItems = wholeNumber(.queuedItems, in: range) ?? settings.queuedItems
    }

    private mutating func rate(_ key: ConfigurationKey) -> RateSetting? {
        value(key, expected: "PER-SECOND:AT-ONCE such as 10:3000, or 0 for no limit") { RateSetting($0) }
    }

    /// nil only together with a problem.
    fileprivate mutating func mail() -> MailSettings? {
        let text = text(.mailAddress) ?? MailSettings.standard
        let addressing = MailAddressing(mailAddress: text)
        if addressing == nil { complain(about: .mailAddress, text, isNot: "a mail address such as pins@example.org") }
        let lmtp = value(.lmtpListen, expected: "the absolute path of a socket, 127.0.0.1:PORT or [::1]:PORT") {
            LMTPEndpoint($0)
        }
        let expected = "a list of ids such as mx.example.org or .example.org, with commas between them"
        let trusted = value(.trustedAuthServers, expected: expected) { text in
            let entries = text.split(separator: ",").map { AuthServerPattern($0.trimmed) }
            return entries.count <= 20 && !entries.contains(nil) ? entries.compactMap { $0 } : nil
        }
        let mebibytes =
            wholeNumber(.mailMebibytes, in: MailSettings.mebibyteRange) ?? MailSettings.standardMebibytes
        let quarantine = quarantine()
        guard let addressing else { return nil }
        return MailSettings(
            addressing: addressing, messageBytes: mebibytes << 20, lmtp: lmtp, trustedAuthServers: trusted ?? [],
            quarantine: quarantine)
    }

    private mutating func quarantine() -> QuarantineSettings {
        var settings = QuarantineSettings()
        settings.mails = wholeNumber(.quarantineMails, in: QuarantineSettings.mailRange) ?? settings.mails
        settings.mebibytes =
            wholeNumber(.quarantineMebibytes, in: QuarantineSettings.mebibyteRange) ?? settings.mebibytes
        settings.days = wholeNumber(.quarantineDays, in: QuarantineSettings.dayRange) ?? settings.days
        return settings
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

    /// Either the formats that are taken, or, each behind a minus, those that are not.
    fileprivate mutating func formats() -> Set<PictureType>? {
        let all = PictureType.readable
        let names = all.map { $0.name.lowercased() }.sorted().joined(separator: ", ")
        let expected = "a list of formats to take (\(names)), or of formats not to take, each with - before it"
        return value(.decoderFormats, expected: expected) { text in
            let words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            if words == ["all"] { return all }
            let removals = words.filter { $0.hasPrefix("-") }
            guard removals.isEmpty || removals.count == words.count else { return nil }
            let named = words.map { word in all.first { $0.name.lowercased() == word.drop { $0 == "-" } } }
            guard !named.contains(nil) else { return nil }
            return removals.isEmpty ? Set(named.compactMap { $0 }) : all.subtracting(named.compactMap { $0 })
        }
    }

    fileprivate mutating func wholeNumber(_ key: ConfigurationKey, in range: ClosedRange<Int>) -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return value(key, expected: expected) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}
