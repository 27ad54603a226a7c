import Administration
import Cryptography
import CurlKit
import Mail
import PinpostCore

/// The settings that are in force; no secret is among them.
struct CheckedConfiguration: Encodable {
    private let data: String
    private let listen: String
    @Nullable private var metricsListen: String?
    private let masterKeys: String
    private let publicURL: String
    private let trustedProxies: [String]
    private let mail: MailRows
    private let limits: LimitRows
    private let pinryQuiet: Double
    private let egressAllow: [String]
    private let decoders: Int
    private let megapixels: Int
    private let formats: [String]
    private let logLevel: String
    private let log: String
    private let problems: [ConfigurationProblems.Problem] = []

    struct MailRows: Encodable {
        let address: String
        let mebibytes: Int
        @Nullable var lmtp: String?
        let trustedAuthServers: [String]
        let quarantineMails: Int
        let quarantineMebibytes: Int
        let quarantineDays: Int
        @Nullable var smtp: String?
        @Nullable var smtpUser: String?
        /// Where it is, never what.
        @Nullable var smtpPassword: String?
        @Nullable var smtpCAFile: String?
        @Nullable var repliesFrom: String?

        enum CodingKeys: String, CodingKey {
            case address
            case mebibytes = "max_mib"
            case lmtp
            case trustedAuthServers = "trusted_authserv_ids"
            case quarantineMails = "quarantine_mails"
            case quarantineMebibytes = "quarantine_mib"
            case quarantineDays = "quarantine_days"
            case smtp
            case smtpUser = "smtp_user"
            case smtpPassword = "smtp_password"
            case smtpCAFile = "smtp_ca_file"
            case repliesFrom = "reply_from"
        }
    }

    struct LimitRows: Encodable {
        let hook: String
        let address: String
        let refused: String
        let dailyMebibytes: Int
        let hourlyItems: Int
        let queuedItems: Int

        enum CodingKeys: String, CodingKey {
            case hook = "rate_hook"
            case address = "rate_address"
            case refused = "rate_refused"
            case dailyMebibytes = "tenant_daily_mib"
            case hourlyItems = "tenant_hourly_items"
            case queuedItems = "tenant_queued_items"
        }
    }

    enum CodingKeys: String, CodingKey {
        case data, listen
        case metricsListen = "metrics_listen"
        case masterKeys = "master_keys"
        case publicURL = "public_url"
        case trustedProxies = "trusted_proxies"
        case mail, limits
        case pinryQuiet = "pinry_quiet"
        case egressAllow = "egress_allow"
        case decoders
        case megapixels = "picture_megapixels"
        case formats = "decoder_formats"
        case logLevel = "log_level"
        case log
        case problems
    }

    init(_ configuration: Configuration) {
        let listener = configuration.listener
        data = configuration.data.folder
        listen = listener.address.description
        metricsListen = listener.metrics?.description
        masterKeys = Self.place(of: configuration.keys)
        publicURL = listener.publicURL
        trustedProxies = listener.trustedProxies
        mail = MailRows(configuration.mail, configuration.outgoing)
        limits = LimitRows(
            hook: listener.hookRate.description, address: listener.addressRate.description,
            refused: listener.refusedRate.description, dailyMebibytes: listener.dailyMebibytes,
            hourlyItems: listener.hourlyItems, queuedItems: listener.queuedItems)
        pinryQuiet = configuration.pinry.quiet
        egressAllow = configuration.egress.allowed.map(\.description)
        decoders = configuration.media.decoders
        megapixels = configuration.media.megapixels
        formats = configuration.media.formats.map(\.rawValue).sorted()
        logLevel = configuration.log.level.rawValue
        log = configuration.log.format?.rawValue ?? "text on a terminal, else json"
    }

    var text: String {
        let rows = [
            ["data folder", data], ["master keys", masterKeys], ["listens on", listen],
            ["metrics on", metricsListen ?? "none"], ["public URL", publicURL],
            ["trusted proxies", Self.list(trustedProxies, none: "none")],
        ]
        let rest = [
            ["quiet period", "\(pinryQuiet) s"], ["decoders", String(decoders)],
            ["pictures up to", "\(megapixels) megapixels"], ["formats", formats.joined(separator: " ")],
            ["log", log], ["log level", logLevel], ["also reachable", Self.list(egressAllow, none: "nothing")],
        ]
        return TextTable(rows + mail.rows + limits.rows + rest).text + "The configuration is right.\n"
    }

    /// In the order in which a key is looked for.
    private static func place(of keys: KeySources) -> String {
        if let file = keys.file { return file }
        if keys.credentialsFolder != nil { return "the systemd credential, else the data folder" }
        return keys.environment == nil ? "the data folder" : "the data folder, else PINPOST_MASTER_KEYS"
    }

    fileprivate static func list(_ names: [String], none: String) -> String {
        names.isEmpty ? none : names.joined(separator: ", ")
    }
}

extension CheckedConfiguration.MailRows {
    init(_ settings: MailSettings, _ outgoing: OutgoingMail?) {
        address = "\(settings.addressing.mailbox)@\(settings.addressing.domain)"
        mebibytes = settings.messageBytes / 1_048_576
        lmtp = settings.lmtp?.description
        trustedAuthServers = settings.trustedAuthServers.map(\.description)
        quarantineMails = settings.quarantine.mails
        quarantineMebibytes = settings.quarantine.mebibytes
        quarantineDays = settings.quarantine.days
        smtpUser = outgoing?.user
        smtpPassword = outgoing?.passwordFile ?? outgoing?.password.map { _ in "PINPOST_SMTP_PASSWORD" }
        smtpCAFile = outgoing?.caFile
        smtp = outgoing.map { "\($0.server.host):\($0.server.port) (\($0.server.encryption.rawValue))" }
        repliesFrom = outgoing.map { "\($0.from)" }
    }

    var rows: [[String]] {
        [
            ["mail address", address], ["mails up to", "\(mebibytes) MiB"], ["LMTP", lmtp ?? "none"],
            ["trusted mail servers", CheckedConfiguration.list(trustedAuthServers, none: "none")],
            [
                "waiting for a person",
                "\(quarantineMails) mails, \(quarantineMebibytes) MiB, \(quarantineDays) days",
            ],
            ["SMTP", smtp ?? "none: mails are not answered"], ["replies from", repliesFrom ?? "-"],
            ["SMTP login", smtpUser ?? "none"], ["SMTP password", smtpPassword ?? "none"],
            ["SMTP certificates", smtpCAFile ?? "the system's"],
        ]
    }
}

extension CheckedConfiguration.LimitRows {
    var rows: [[String]] {
        [
            ["rate of a hook", hook], ["rate of an address", address], ["rate of refusals", refused],
            ["a tenant's day", dailyMebibytes == 0 ? "no limit" : "\(dailyMebibytes) MiB"],
            ["a tenant's hour", hourlyItems == 0 ? "no limit" : "\(hourlyItems) items"],
            ["a tenant's queue", queuedItems == 0 ? "no limit" : "\(queuedItems) items"],
        ]
    }
}
