import Cryptography
import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing
import Web

@Suite(
    "Mail services, from request to pin", .enabled(if: hasSamples, "no sample requests"), .timeLimit(.minutes(10)))
struct MailServiceTests {
    /// A sample, how it is sent, and what of it is pinned.
    struct Row: Sendable, CustomTestStringConvertible {
        let provider: String
        let file: String
        /// Behind the address with our token.
        var path = ""
        var secret: String?
        var options: [String: String] = [:]
        var images = 0
        /// The only link, which is the pictures' source.
        var source: String?
        var board: String?
        var status = 200
        var testDescription: String { "\(provider) \(file)" }
    }

    private static let topic = ["topic": "arn:aws:sns:us-east-1:111111111111:SES_Inbound", "signature": "off"]
    private static let link = "https://example.org/p"

    static let rows: [Row] = [
        Row(provider: "mailgun", file: "route-parsed.http", secret: "key", images: 1, board: "Trips"),
        Row(provider: "mailgun", file: "route-mime.http", path: "/mime", secret: "key", images: 1, source: link),
        Row(provider: "mailgun", file: "store-notify.http", secret: "key", images: 1),
        Row(provider: "sendgrid", file: "parse.http", images: 1),
        Row(provider: "sendgrid", file: "raw.http", images: 1, source: link),
        Row(provider: "postmark", file: "inbound.json", images: 1, board: "Trips"),
        Row(provider: "cloudmailin", file: "json-normalized.json", images: 1, source: link),
        Row(provider: "cloudflare-email-worker", file: "raw.http", images: 1, source: link),
        Row(provider: "aws-ses-sns", file: "notification.json", options: topic, images: 1, source: link),
    ]

    @Test("each sample becomes what its index says, once", arguments: rows)
    func samples(_ row: Row) async throws {
        try await ChatStage.open(row.provider, options: row.options, secret: row.secret, token: "api-key") { stage in
            stage.api.answer("/v3/domains/in.example/messages/KEY/attachments/0", TestPicture.png(seed: 3))
            let request = try RecordedSample("\(row.provider)/\(row.file)")
            let now = Int(stage.delivery.clock.now.timeIntervalSince1970)
            let body = row.provider == "mailgun" ? request.signedByMailgun(key: "key", at: now) : request.body
            for _ in 0..<2 {
                let answer = try await stage.send(
                    request.headers, bytes: body, method: request.method, target: "/\(stage.hookToken)\(row.path)")
                #expect(answer.status == row.status)
            }
            // A repeat is one message.
            #expect(try await stage.messages().count == 1)
            try await stage.split()
            let items = try await stage.items()
            let pictures = items.filter { if case .link = $0.kind { false } else { true } }
            #expect(pictures.count == row.images)
            #expect(pictures.allSatisfy { $0.draft.source == row.source })
            if let board = row.board {
                #expect(board == "Trips")
                let trips = try #require(stage.delivery.tenant.board)
                #expect(pictures.allSatisfy { $0.draft.destination == .board(trips.id) })
            }
            if row.file == "json-normalized.json" { #expect(items.count == 2) }
            guard row.file == "store-notify.http" else { return }
            try await stage.work()
            #expect(try await stage.items().map(\.state) == [.done])
            let fetched = stage.api.calls("attachments/0")
            #expect(fetched.map { $0.header("authorization") } == ["Basic YXBpOmFwaS1rZXk="])
        }
    }

    @Test("without our token nothing is taken, whatever the path", arguments: rows.prefix(4))
    func tokens(_ row: Row) async throws {
        try await ChatStage.open(row.provider, secret: row.secret) { stage in
            let request = try RecordedSample("\(row.provider)/\(row.file)")
            for target in ["", row.path, "/pph_wrong\(row.path)"] {
                let answer = try await stage.send(request.headers, bytes: request.body, target: target)
                #expect(answer.status == 401)
            }
            let elsewhere = try await stage.send(
                request.headers, bytes: request.body, target: "/\(stage.hookToken)/other")
            #expect(elsewhere.status == 404)
            #expect(try await stage.messages().isEmpty)
        }
    }

    @Test("our token may come as Basic's password, as services write it into their URLs")
    func basic() async throws {
        try await ChatStage.open("postmark", secret: nil) { stage in
            let request = try RecordedSample("postmark/inbound.json")
            let credentials = Data("any:\(stage.hookToken)".utf8).base64EncodedString()
            let answer = try await stage.send(
                request.headers + [("Authorization", "Basic \(credentials)")], bytes: request.body)
            #expect(answer.status == 200)
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("whatever is posted gets an answer below 500 and leaves nothing behind", arguments: rows)
    func unreadable(_ row: Row) async throws {
        try await ChatStage.open(row.provider, secret: row.secret) { stage in
            let log = LogLines()
            for body in ["", "null", "{", "[[[[", "x=%zz"] {
                for type in [
                    "application/json", "multipart/form-data; boundary=b", "application/x-www-form-urlencoded",
                ] {
                    let answer = try await stage.send(
                        [("Content-Type", type)], bytes: Array(body.utf8), target: "/\(stage.hookToken)", log: log)
                    #expect((200..<500).contains(answer.status), "\(type) \(body)")
                }
            }
            #expect(try await stage.messages().isEmpty)
            #expect(!log.text.contains(stage.hookToken))
        }
    }

    @Test("a full disk is no reason to lose a mail: each service is told to try again", arguments: rows)
    func fullDisk(_ row: Row) async throws {
        try await ChatStage.open(row.provider, options: row.options, secret: row.secret) { stage in
            let request = try RecordedSample("\(row.provider)/\(row.file)")
            let now = Int(stage.delivery.clock.now.timeIntervalSince1970)
            let body = row.provider == "mailgun" ? request.signedByMailgun(key: "key", at: now) : request.body
            let target = "/\(stage.hookToken)\(row.path)"
            let full = try await stage.send(
                request.headers, bytes: body, method: request.method, target: target, sink: FullSink())
            #expect(full.status == 503)
            let later = try await stage.send(request.headers, bytes: body, method: request.method, target: target)
            #expect(later.status == 200)
            #expect(try await stage.messages().count == 1)
        }
    }

    @Test("Amazon's subscription is confirmed below --api-base, and a forged one is not asked about")
    func confirmation() async throws {
        try await ChatStage.open("aws-ses-sns", options: Self.topic, secret: nil) { stage in
            stage.api.answer("/?Action=ConfirmSubscription", "<ok/>")
            let forged = try RecordedSample("aws-ses-sns/evil-subscribe-url.json")
            let refused = try await stage.send(forged.headers, bytes: forged.body, target: "/\(stage.hookToken)")
            #expect(refused.status == 401 && stage.api.calls().isEmpty)
            let request = try RecordedSample("aws-ses-sns/subscription-confirmation.json")
            let answer = try await stage.send(request.headers, bytes: request.body, target: "/\(stage.hookToken)")
            #expect(answer.status == 200)
            #expect(
                stage.api.calls().map(\.line) == [
                    "GET /?Action=ConfirmSubscription&TopicArn=arn:aws:sns:us-east-1:111111111111:SES_Inbound&Token=2336412f37"
                ])
        }
    }
}

/// A sample as it is sent.
struct RecordedSample {
    var method = "POST"
    var headers: [(String, String)] = [("Content-Type", "application/json")]
    var body: [UInt8]

    init(_ name: String) throws {
        let folder = ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? "../shared"
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(folder)/webhooks/\(name)")))
        guard name.hasSuffix(".http") else {
            body = bytes
            return
        }
        let end = try #require((0..<(bytes.count - 3)).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        method = String(lines[0].prefix { $0 != " " })
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), String(parts[1].drop { $0 == " " }))
        }.filter { !["content-length", "authorization"].contains($0.0.lowercased()) }
        body = Array(bytes[(end + 4)...])
    }

    /// The body with a fresh time and the signature for it.
    func signedByMailgun(key: String, at now: Int) -> [UInt8] {
        let token = "7VwW7k6Ak7zcTwoSoNm7aTtbk1g67MKAnsYLfUB7PdszbgR5Xi"
        let code = HMAC.code(of: Array("\(now)\(token)".utf8), key: Array(key.utf8)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
        return replacing(
            "ef24c5225322217bb065b80bb54eb4f9206d764e3e16abab07f0a64d1cf477cc", by: code,
            in: replacing("1539112500", by: "\(now)", in: body))
    }

    /// Both have the same length.
    private func replacing(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let (old, new) = (Array(old.utf8), Array(new.utf8))
        guard old.count == new.count else { return bytes }
        for start in bytes.indices.dropLast(old.count - 1) where bytes[start..<(start + old.count)].elementsEqual(old) {
            bytes.replaceSubrange(start..<(start + old.count), with: new)
        }
        return bytes
    }
}
