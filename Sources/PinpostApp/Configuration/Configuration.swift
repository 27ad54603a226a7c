public import Cryptography
public import CurlKit
public import Mail
import Media
public import PinpostCore

/// What the environment says, read once at the start; everything about people is data in the store instead.
public struct Configuration: Sendable {
    public var data: DataSettings
    public var listener: ListenerSettings
    public var keys: KeySources
    public var mail: MailSettings
    /// nil: mails are not answered.
    public var outgoing: OutgoingMail?
    public var pinry: PinrySettings
    public var egress: EgressSettings
    public var media: MediaSettings
    public var log: LogSettings
}

public struct DataSettings: Sendable, Hashable {
    /// Holds database, spool, socket, and the key file unless it is elsewhere; absolute, without a trailing slash.
    public var folder: String
    /// Nothing named the folder: the one of the user or the system is taken, and made with all that leads to it.
    public var isStandard: Bool
    /// The folder that the folder is in.
    var parent: String { folder.lastIndex(of: "/").map { String(folder[...$0]) } ?? "/" }
    /// Where the daemon listens for the command line.
    public var socket: String { folder + "/pinpost.sock" }
}

public struct ListenerSettings: Sendable, Hashable {
    public static let standard = HostAndPort(host: "127.0.0.1", port: 8080)

    public var address: HostAndPort
    /// Where metrics are told; nil: nowhere.
    public var metrics: HostAndPort?
    /// How others reach the listener, without a trailing slash.
    public var publicURL: String
    /// The proxies whose `X-Forwarded-For` counts: an address, or a range as `10.0.0.0/8`.
    public var trustedProxies: [String] = []
    public var hookRate = RateSetting.standardHook
    public var addressRate = RateSetting.standardAddress
    public var refusedRate = RateSetting.standardRefused
    /// What a tenant may receive in a day, in MiB; 0: no limit, as for the next two.
    public var dailyMebibytes = ListenerSettings.standardDailyMebibytes
    public var hourlyItems = ListenerSettings.standardHourlyItems
    /// Items of a tenant that wait for his Pinry.
    public var queuedItems = ListenerSettings.standardQueuedItems

    public static let standardDailyMebibytes = 20_480
    public static let standardHourlyItems = 20_000
    public static let standardQueuedItems = 100_000
}

public struct MailSettings: Sendable, Hashable {
    public static let standard = "pins@example.org"

    /// From `LOCAL@DOMAIN` the addresses `LOCAL+TOKEN@DOMAIN` are made.
    public var addressing: MailAddressing
    public static let standardMebibytes = 50
    public static let mebibyteRange = 1...1_024

    /// The largest mail that is taken, in bytes.
    public var messageBytes: Int
    /// Where mail servers hand over mail; nil where there is no such listener.
    public var lmtp: LMTPEndpoint?
    /// Whose Authentication-Results count in mail from LMTP and the pipe: exact ids, or `.suffix`.
    public var trustedAuthServers: [AuthServerPattern]
    public var quarantine = QuarantineSettings()
}

/// What of each tenant, and once more of what is nobody's, waits for a person at most.
public struct QuarantineSettings: Sendable, Hashable {
    public static let mailRange = 1...1_000_000
    public static let mebibyteRange = 1...1_048_576
    public static let dayRange = 1...3_650

    public var mails = 1_000
    public var mebibytes = 512
    public var days = 30

    var limits: QuarantineLimits {
        QuarantineLimits(mails: mails, bytes: mebibytes << 20, age: Double(days) * 86_400)
    }
}

/// The server that takes our answers to mails.
public struct OutgoingMail: Sendable {
    public static let tlsPort = 465
    public static let submissionPort = 587

    public var server: StreamTarget
    public var user: String?
    public var password: Secret?
    /// Where the password is, if it is in a file.
    public var passwordFile: String?
    /// PEM certificates trusted for this server.
    public var caFile: String?
    public var from: MailAddress
}

public struct PinrySettings: Sendable, Hashable {
    public static let standardQuiet: Double = 60
    public static let quietRange: ClosedRange<Double> = 0...3_600

    /// How long after a lost answer the pins are read, in seconds: by then the server has committed or given up.
    public var quiet: Double
}

public struct EgressSettings: Sendable, Hashable {
    /// Hosts and ports that links in messages may lead to although they are private or loopback.
    public var allowed: [HostAndPort]
}

public struct MediaSettings: Sendable, Hashable {
    public static let standardDecoders = 2
    public static let decoderRange = 1...64

    /// Pictures that are decoded at the same time, each in its own process of up to 512 MiB.
    public var decoders: Int

    public static let standardMegapixels = 50
    public static let megapixelRange = 1...250

    /// A converted picture with more is made smaller.
    public var megapixels: Int
    /// The formats that a picture may come in.
    public var formats: Set<PictureType>

    /// What the settings mean for every picture.
    var limits: PictureLimits {
        var limits = PictureLimits()
        limits.outputPixels = megapixels * 1_000_000
        limits.formats = formats
        return limits
    }
}

public struct LogSettings: Sendable, Hashable {
    public static let standardLevel = Logger.Level.info

    /// nil: text on a terminal, JSON anywhere else.
    public var format: Logger.Format?
    public var level: Logger.Level
}
