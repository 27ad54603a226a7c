import PinpostCore

/// Every environment variable that Pinpost reads; `docs/configuration.md` describes each one.
enum ConfigurationKey: String, CaseIterable, Sendable {
    case data = "PINPOST_DATA"
    case listen = "PINPOST_LISTEN"
    case metricsListen = "PINPOST_METRICS_LISTEN"
    case publicURL = "PINPOST_PUBLIC_URL"
    case trustedProxies = "PINPOST_TRUSTED_PROXIES"
    case hookRate = "PINPOST_RATE_HOOK"
    case addressRate = "PINPOST_RATE_ADDRESS"
    case refusedRate = "PINPOST_RATE_REFUSED"
    case dailyMebibytes = "PINPOST_TENANT_DAILY_MIB"
    case hourlyItems = "PINPOST_TENANT_HOURLY_ITEMS"
    case queuedItems = "PINPOST_TENANT_QUEUED_ITEMS"
    case masterKeysFile = "PINPOST_MASTER_KEYS_FILE"
    case masterKeys = "PINPOST_MASTER_KEYS"
    case mailAddress = "PINPOST_MAIL_ADDRESS"
    case mailMebibytes = "PINPOST_MAIL_MIB"
    case lmtpListen = "PINPOST_LMTP_LISTEN"
    case trustedAuthServers = "PINPOST_TRUSTED_AUTHSERV"
    case quarantineMails = "PINPOST_QUARANTINE_MAILS"
    case quarantineMebibytes = "PINPOST_QUARANTINE_MIB"
    case quarantineDays = "PINPOST_QUARANTINE_DAYS"
    case smtpURL = "PINPOST_SMTP_URL"
    case smtpUser = "PINPOST_SMTP_USER"
    case smtpPassword = "PINPOST_SMTP_PASSWORD"
    case smtpPasswordFile = "PINPOST_SMTP_PASSWORD_FILE"
    case smtpCAFile = "PINPOST_SMTP_CA_FILE"
    case replyFrom = "PINPOST_REPLY_FROM"
    case pinryQuiet = "PINPOST_PINRY_QUIET"
    case egressAllow = "PINPOST_EGRESS_ALLOW"
    case decoders = "PINPOST_DECODERS"
    case pictureMegapixels = "PINPOST_PICTURE_MEGAPIXELS"
    case decoderFormats = "PINPOST_DECODER_FORMATS"
    case log = "PINPOST_LOG"
    case logLevel = "PINPOST_LOG_LEVEL"

    /// The default in words, as messages and the documentation give it.
    var standard: String {
        switch self {
        case .data: "~/.local/share/pinpost, or /var/lib/pinpost for root"
        case .listen: ListenerSettings.standard.description
        case .publicURL: "http:// and PINPOST_LISTEN"
        case .trustedProxies: "none"
        case .hookRate: RateSetting.standardHook.description
        case .addressRate: RateSetting.standardAddress.description
        case .refusedRate: RateSetting.standardRefused.description
        case .dailyMebibytes: String(ListenerSettings.standardDailyMebibytes)
        case .hourlyItems: String(ListenerSettings.standardHourlyItems)
        case .queuedItems: String(ListenerSettings.standardQueuedItems)
        case .masterKeysFile: "master-keys in the data folder"
        case .masterKeys: "none"
        case .mailAddress: MailSettings.standard
        case .mailMebibytes: String(MailSettings.standardMebibytes)
        case .metricsListen, .lmtpListen, .trustedAuthServers: "none"
        case .quarantineMails: String(QuarantineSettings().mails)
        case .quarantineMebibytes: String(QuarantineSettings().mebibytes)
        case .quarantineDays: String(QuarantineSettings().days)
        case .smtpURL: "none: mails are not answered"
        case .smtpUser, .smtpPassword, .smtpPasswordFile: "none"
        case .smtpCAFile: "the system's certificates"
        case .replyFrom: "PINPOST_MAIL_ADDRESS"
        case .pinryQuiet: String(Int(PinrySettings.standardQuiet))
        case .egressAllow: "none"
        case .decoders: String(MediaSettings.standardDecoders)
        case .pictureMegapixels: String(MediaSettings.standardMegapixels)
        case .decoderFormats: "all"
        case .log: "text on a terminal, else json"
        case .logLevel: LogSettings.standardLevel.rawValue
        }
    }

    static let prefix = "PINPOST_"

    /// Names that others set: our own tests, and what Kubernetes puts into every container beside a service `pinpost`.
    private static let foreign = ["PINPOST_TEST_", "PINPOST_SERVICE_", "PINPOST_PORT"]

    static func isForeign(_ name: String) -> Bool {
        name == "PINPOST_SHARED" || foreign.contains(where: name.hasPrefix)
    }
}
