import Cryptography
import CurlKit
import Media
import PinpostCore
import Testing
import Web

@testable import PinpostApp

@Suite("Configuration")
struct ConfigurationTests {
    private func problems(_ environment: [String: String]) -> [String: String] {
        do {
            _ = try Configuration.read(from: environment)
            return [:]
        } catch {
            return Dictionary(error.problems.map { ($0.name, "\($0.problem) \($0.remedy)") }) { $0 + $1 }
        }
    }

    @Test("has a default for everything")
    func defaults() throws {
        let configuration = try Configuration.read(from: ["HOME": "/home/ada"])
        #expect(configuration.data.folder == "/home/ada/.local/share/pinpost")
        #expect(configuration.data.socket == "/home/ada/.local/share/pinpost/pinpost.sock")
        #expect(configuration.listener.address.description == "127.0.0.1:8080")
        #expect(configuration.listener.publicURL == "http://127.0.0.1:8080")
        #expect(configuration.mail.addressing.domain == "example.org")
        #expect(configuration.mail.quarantine.limits == QuarantineLimits())
        #expect(configuration.pinry.quiet == 60)
        #expect(configuration.egress.allowed.isEmpty)
        #expect(configuration.log.format == nil && configuration.log.level == .info)
    }

    @Test("puts root's data where a system service keeps them")
    func root() throws {
        #expect(try Configuration.read(from: ["HOME": "/root"], isRoot: true).data.folder == "/var/lib/pinpost")
        #expect(
            try Configuration.read(from: ["PINPOST_DATA": "data/"], currentFolder: "/srv/pins").data.folder
                == "/srv/pins/data")
    }

    @Test("reads every setting")
    func values() throws {
        let configuration = try Configuration.read(from: [
            "PINPOST_DATA": "/srv/pins/", "PINPOST_LISTEN": "[::1]:9000",
            "PINPOST_PUBLIC_URL": "https://pins.example.net/in/", "PINPOST_MASTER_KEYS_FILE": "/etc/pinpost/keys",
            "CREDENTIALS_DIRECTORY": "/run/credentials/pinpost", "PINPOST_MAIL_ADDRESS": "pin@example.net",
            "PINPOST_PINRY_QUIET": "0.25", "PINPOST_EGRESS_ALLOW": "127.0.0.1:8001, [::1]:81,nas.lan:80",
            "PINPOST_DECODERS": "4", "PINPOST_PICTURE_MEGAPIXELS": "12", "PINPOST_LOG": "json",
            "PINPOST_LOG_LEVEL": "debug", "PINPOST_QUARANTINE_MAILS": "7", "PINPOST_QUARANTINE_MIB": "2",
            "PINPOST_QUARANTINE_DAYS": "3", "PINPOST_METRICS_LISTEN": "[::1]:9464",
        ])
        #expect(configuration.listener.metrics == HostAndPort(host: "::1", port: 9464))
        #expect(
            configuration.mail.quarantine.limits == QuarantineLimits(mails: 7, bytes: 2 << 20, age: 3 * 86_400))
        #expect(configuration.data.folder == "/srv/pins")
        #expect(configuration.listener.address == HostAndPort(host: "::1", port: 9000))
        #expect(configuration.listener.publicURL == "https://pins.example.net/in")
        #expect(configuration.keys.file == "/etc/pinpost/keys")
        #expect(configuration.keys.credentialsFolder == "/run/credentials/pinpost")
        #expect(configuration.mail.addressing.redacted == "pin+…@example.net")
        #expect(configuration.pinry.quiet == 0.25)
        #expect(configuration.egress.allowed.map(\.description) == ["127.0.0.1:8001", "[::1]:81", "nas.lan:80"])
        #expect(configuration.media.decoders == 4 && configuration.media.megapixels == 12)
        #expect(configuration.log.format == .json && configuration.log.level == .debug)
    }

    @Test("takes formats by name, or all but those behind a minus")
    func formats() throws {
        func formats(_ text: String) throws -> Set<PictureType> {
            try Configuration.read(from: ["HOME": "/h", "PINPOST_DECODER_FORMATS": text]).media.limits.formats
        }
        #expect(try formats("") == PictureType.readable && formats("All") == PictureType.readable)
        #expect(try formats("jpeg, PNG") == [.jpeg, .png])
        #expect(try formats("-heic,-avif") == PictureType.readable.subtracting([.heic, .avif]))
    }

    @Test("takes :PORT as all addresses, which are reached over the loopback one")
    func allAddresses() throws {
        let listener = try Configuration.read(from: ["HOME": "/h", "PINPOST_LISTEN": ":80"]).listener
        #expect(listener.address.description == "0.0.0.0:80" && listener.publicURL == "http://127.0.0.1:80")
    }

    @Test("reads the limits of the listener, of which 0 is none")
    func limits() throws {
        let standard = try Configuration.read(from: ["HOME": "/h"]).listener.limits
        #expect(standard.perHook == RequestLimits().perHook && standard.perAddress == RequestLimits().perAddress)
        #expect(standard == RequestLimits())
        let none = try Configuration.read(from: [
            "HOME": "/h", "PINPOST_RATE_HOOK": "0", "PINPOST_RATE_ADDRESS": "0.5:3", "PINPOST_TENANT_DAILY_MIB": "0",
            "PINPOST_TENANT_HOURLY_ITEMS": "0", "PINPOST_TENANT_QUEUED_ITEMS": "7",
            "PINPOST_TRUSTED_PROXIES": "10.0.0.0/8, ::1",
        ]).listener.limits
        #expect(none.perHook == nil && none.bytesPerTenantAndDay == nil && none.itemsPerTenantAndHour == nil)
        #expect(none.perAddress == Rate(perSecond: 0.5, burst: 3) && none.queuedItemsPerTenant == 7)
        #expect(none.trustedProxies == [AddressRange("10.0.0.0/8"), AddressRange("::1")].compactMap { $0 })
    }

    @Test("reports all problems at once, each with a remedy")
    func allProblems() {
        let found = problems([
            "HOME": "/home/ada", "PINPOST_DATA": "data", "PINPOST_LISTEN": "8080", "PINPOST_PUBLIC_URL": "pins.example",
            "PINPOST_MASTER_KEYS_FILE": "keys", "PINPOST_MAIL_ADDRESS": "a+b@c", "PINPOST_PINRY_QUIET": "-1",
            "PINPOST_EGRESS_ALLOW": "a:1,b", "PINPOST_DECODERS": "0", "PINPOST_PICTURE_MEGAPIXELS": "251",
            "PINPOST_MAIL_MIB": "0", "PINPOST_LMTP_LISTEN": "0.0.0.0:24", "PINPOST_METRICS_LISTEN": "0.0.0.0:9464",
            "PINPOST_QUARANTINE_MAILS": "0", "PINPOST_QUARANTINE_MIB": "1048577", "PINPOST_QUARANTINE_DAYS": "x",
            "PINPOST_TRUSTED_AUTHSERV": "mx.example.org,.org",
            "PINPOST_TRUSTED_PROXIES": "10.0.0.0/33", "PINPOST_RATE_HOOK": "10", "PINPOST_RATE_ADDRESS": "0:1",
            "PINPOST_RATE_REFUSED": "1:x", "PINPOST_TENANT_DAILY_MIB": "-1", "PINPOST_TENANT_HOURLY_ITEMS": "1.5",
            "PINPOST_TENANT_QUEUED_ITEMS": "many", "PINPOST_DECODER_FORMATS": "jpeg,-png", "PINPOST_LOG": "xml",
            "PINPOST_LOG_LEVEL": "loud", "PINPOST_LISTN": "x", "PINPOST_SMTP_URL": "https://a",
            "PINPOST_SMTP_USER": "u",
            "PINPOST_SMTP_PASSWORD_FILE": "p", "PINPOST_SMTP_CA_FILE": "c", "PINPOST_REPLY_FROM": "pins@[127.0.0.1]",
        ])
        let any: Set<ConfigurationKey> = [.masterKeys, .smtpPassword]
        let names = ConfigurationKey.allCases.filter { !any.contains($0) }.map(\.rawValue)
        #expect(Set(found.keys) == Set(names + ["PINPOST_LISTN"]))
        #expect(found["PINPOST_LISTN"]?.contains("Did you mean PINPOST_LISTEN?") == true)
        #expect(found["PINPOST_PINRY_QUIET"]?.contains("the default is 60") == true)
    }

    @Test(
        "refuses values that look right",
        arguments: [
            ("PINPOST_PINRY_QUIET", "nan"), ("PINPOST_PINRY_QUIET", "inf"), ("PINPOST_LISTEN", "127.0.0.1:65536"),
            ("PINPOST_LISTEN", "127.0.0.1:+80"), ("PINPOST_PUBLIC_URL", "http://"),
            ("PINPOST_METRICS_LISTEN", "127.0.0.1.example.org:80"), ("PINPOST_METRICS_LISTEN", ":9464"),
            ("PINPOST_METRICS_LISTEN", "localhost:9464"),
            ("PINPOST_PUBLIC_URL", "http://a/?b"),
            ("PINPOST_MAIL_ADDRESS", "pins@"), ("PINPOST_MAIL_ADDRESS", "a@b@c"), ("PINPOST_DECODERS", "1.5"),
            ("PINPOST_DECODER_FORMATS", "jpg"), ("PINPOST_DECODER_FORMATS", "-svg"),
            ("PINPOST_DECODER_FORMATS", "png,"),
        ])
    func almostRight(_ name: String, _ value: String) {
        #expect(problems(["HOME": "/h", name: value])[name] != nil)
    }

    @Test("leaves alone what others set, and what is empty")
    func foreign() {
        #expect(
            problems([
                "HOME": "/h", "PINPOST_TEST_PINRY_URL": "x", "PINPOST_SHARED": "x", "PINPOST_SERVICE_HOST": "10.0.0.1",
                "PINPOST_PORT": "tcp://10.0.0.1:80", "PINPOST_PORT_80_TCP": "x", "PINPOST_LISTEN": "",
            ]).isEmpty)
    }

    @Test("never shows the master keys")
    func redacted() throws {
        let keys = "k1 c3VwZXJzZWNyZXQ="
        let configuration = try Configuration.read(from: ["HOME": "/h", "PINPOST_MASTER_KEYS": keys])
        #expect(configuration.keys.environment?.count == keys.utf8.count)
        var text = String(describing: configuration) + String(reflecting: configuration)
        dump(configuration, to: &text)
        #expect(!text.contains("c3VwZXJz"))
    }

    @Test(
        "reads the server for answers: never in the clear but on this machine",
        arguments: [
            ("smtps://mail.example.net", StreamTarget(host: "mail.example.net", port: 465, encryption: .tls)),
            ("smtp://mail.example.net/", StreamTarget(host: "mail.example.net", port: 587, encryption: .starttls)),
            ("smtp://10.0.0.1:2525", StreamTarget(host: "10.0.0.1", port: 2525, encryption: .starttls)),
            ("smtp://localhost:25", StreamTarget(host: "localhost", port: 25, encryption: .none)),
            ("smtp://[::1]:25", StreamTarget(host: "::1", port: 25, encryption: .none)),
            ("smtps://127.0.0.1", StreamTarget(host: "127.0.0.1", port: 465, encryption: .tls)),
        ])
    func outgoing(_ url: String, _ target: StreamTarget) throws {
        let outgoing = try Configuration.read(from: [
            "HOME": "/h", "PINPOST_SMTP_URL": url, "PINPOST_MAIL_ADDRESS": "pin@example.net",
            "PINPOST_SMTP_USER": "ada", "PINPOST_SMTP_PASSWORD_FILE": "/etc/pinpost/smtp",
        ]).outgoing
        #expect(outgoing?.server == target)
        #expect(outgoing?.user == "ada" && outgoing?.passwordFile == "/etc/pinpost/smtp")
        #expect(outgoing?.from.description == "pin@example.net")
    }

    @Test("a password without a user, and two passwords, are problems")
    func passwords() {
        #expect(problems(["HOME": "/h", "PINPOST_SMTP_PASSWORD": "x"])["PINPOST_SMTP_USER"] != nil)
        let both = ["PINPOST_SMTP_USER": "u", "PINPOST_SMTP_PASSWORD": "s3cret", "PINPOST_SMTP_PASSWORD_FILE": "/x"]
        let found = problems(both.merging(["HOME": "/h"]) { one, _ in one })
        #expect(found.keys.sorted() == ["PINPOST_SMTP_PASSWORD_FILE"])
        #expect(!found.values.contains { $0.contains("s3cret") })
    }
}
