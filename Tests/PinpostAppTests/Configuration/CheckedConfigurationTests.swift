import FoundationEssentials
import Testing

@testable import PinpostApp

@Suite("The settings that are in force", .timeLimit(.minutes(10)))
struct CheckedConfigurationTests {
    private static let smtp: [ConfigurationKey: String] = [.smtpURL: "smtps://mail.example.org"]
    private static let login = smtp.merging([.smtpUser: "pins", .smtpPassword: "s3cret"]) { $1 }
    private static let fileLogin = smtp.merging([.smtpUser: "pins", .smtpPasswordFile: "/srv/password"]) { $1 }

    /// Something else than the default; the compiler asks for a new variable's.
    private static func value(of key: ConfigurationKey) -> String {
        switch key {
        case .data: "/srv/pins"
        case .listen: "127.0.0.1:9999"
        case .metricsListen: "127.0.0.1:9100"
        case .publicURL: "https://pins.example.net"
        case .trustedProxies: "172.16.0.0/12"
        case .hookRate, .addressRate, .refusedRate: "7:77"
        case .masterKeysFile: "/srv/keys"
        case .masterKeys: "k1 s3cret"
        case .mailAddress: "pins@example.net"
        case .lmtpListen: "127.0.0.1:2424"
        case .trustedAuthServers: "mx.example.net"
        case .smtpURL: "smtps://mail.example.org"
        case .smtpUser: "sender"
        case .smtpPassword: "s3cret"
        case .smtpPasswordFile: "/srv/password"
        case .smtpCAFile: "/srv/ca.pem"
        case .replyFrom: "answers@example.net"
        case .egressAllow: "10.0.0.1:8080"
        case .decoderFormats: "jpeg"
        case .log: "json"
        case .logLevel: "debug"
        case .dailyMebibytes, .hourlyItems, .queuedItems, .mailMebibytes, .quarantineMails, .quarantineMebibytes,
            .quarantineDays, .pinryQuiet, .decoders, .pictureMegapixels:
            "7"
        }
    }

    /// What else is set, without the variable and with it.
    private static func surroundings(
        of key: ConfigurationKey
    ) -> (before: [ConfigurationKey: String], after: [ConfigurationKey: String]) {
        switch key {
        case .smtpUser: (login, login)
        case .smtpPassword: (fileLogin, login)
        case .smtpPasswordFile: (login, fileLogin)
        case .smtpCAFile, .replyFrom: (smtp, smtp)
        default: ([:], [:])
        }
    }

    @Test(
        "are all among what config check prints, in both forms, and no secret is", arguments: ConfigurationKey.allCases)
    func complete(_ key: ConfigurationKey) throws {
        let (without, with) = Self.surroundings(of: key)
        let before = try printed(without)
        let after = try printed(with.merging([key: Self.value(of: key)]) { $1 })
        #expect(before.text != after.text, "\(key.rawValue) is not in the text")
        #expect(before.json != after.json, "\(key.rawValue) is not in the JSON")
        #expect(!after.text.contains("s3cret") && !after.json.contains("s3cret"))
    }

    private func printed(_ settings: [ConfigurationKey: String]) throws -> (text: String, json: String) {
        let environment = Dictionary(uniqueKeysWithValues: settings.map { ($0.key.rawValue, $0.value) })
        let checked = CheckedConfiguration(
            try Configuration.read(from: environment.merging(["HOME": "/home/ada"]) { $1 }))
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (checked.text, String(decoding: try encoder.encode(checked), as: UTF8.self))
    }
}
