import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

@Suite(
    "A damaged request of a provider", .enabled(if: Samples.areThere, "the samples are not on this machine"),
    .timeLimit(.minutes(10)))
struct ProviderMutationTests {
    struct Seed: Sendable, CustomTestStringConvertible {
        let provider: String
        let file: String
        var path: [String] = []
        /// Where there is no sample.
        var json: String?
        var testDescription: String { "\(provider) \(file)" }
    }

    private static let postalRaw = """
        {"id":7,"rcpt_to":"ada+trips@in","mail_from":"x@y","message":"RnJvbTogYUBiDQoNCmhp","base64":true,"size":14}
        """
    private static let postal = """
        {"id":9,"rcpt_to":"a@in","subject":"Sea #x","plain_body":"Look https://example.org/p","auto_submitted":null,\
        "attachments":[{"filename":"b.png","content_type":"image/png","data":"\(TinyPNG.base64)"}],"timestamp":1.5}
        """
    private static let mox = """
        {"Version":0,"Subject":"Sea","Text":"Look","Structure":{"ContentType":"multipart/mixed","Parts":[\
        {"ContentType":"text/plain"},{"ContentType":"image/jpeg","Filename":"a.jpg","ContentID":"<a>","DecodedSize":9}]},\
        "Meta":{"MsgID":12,"RcptTo":"pins+trips@in.example"}}
        """

    static let seeds: [Seed] = [
        Seed(provider: "telegram", file: "telegram/photo.json"),
        Seed(provider: "telegram", file: "telegram/text-url-utf16.json"),
        Seed(provider: "slack", file: "slack/message-file-share.json"),
        Seed(provider: "slack", file: "slack/slash-command.http"),
        Seed(provider: "discord", file: "discord/message-command.json"),
        Seed(provider: "discord", file: "discord/slash-attachment.json"),
        Seed(provider: "mailgun", file: "mailgun/route-parsed.http"),
        Seed(provider: "mailgun", file: "mailgun/route-mime.http", path: ["mime"]),
        Seed(provider: "mailgun", file: "mailgun/store-notify.http"),
        Seed(provider: "sendgrid", file: "sendgrid/parse.http"), Seed(provider: "sendgrid", file: "sendgrid/raw.http"),
        Seed(provider: "postmark", file: "postmark/inbound.json"),
        Seed(provider: "cloudmailin", file: "cloudmailin/json-normalized.json"),
        Seed(provider: "cloudflare-email-worker", file: "cloudflare-email-worker/raw.http"),
        Seed(provider: "aws-ses-sns", file: "aws-ses-sns/notification.json"),
        Seed(provider: "postal", file: "raw", json: postalRaw), Seed(provider: "postal", file: "parsed", json: postal),
        Seed(provider: "mox", file: "incoming", json: mox),
        Seed(provider: "mattermost", file: "mattermost/outgoing-form.http"),
        Seed(provider: "mattermost", file: "mattermost/outgoing-json.json"),
        Seed(provider: "rocketchat", file: "rocketchat/outgoing.json"),
        Seed(provider: "matrix", file: "matrix/hookshot-outbound.http"),
        Seed(
            provider: "matrix", file: "matrix/appservice-transaction.json",
            path: ["_matrix", "app", "v1", "transactions", "1"]),
        Seed(provider: "whatsapp", file: "whatsapp/image.json"),
        Seed(provider: "whatsapp", file: "whatsapp/batch-and-status.json"),
        Seed(provider: "twilio", file: "twilio/mms.http"), Seed(provider: "line", file: "line/image-set.json"),
        Seed(provider: "signal", file: "signal/receive.json"),
    ]

    @Test("is kept, answered or refused, and what is kept can be read or says why not", arguments: seeds)
    func mutations(_ seed: Seed) throws {
        let provider = try #require(Providers.named(seed.provider))
        let sample = try seed.json.map { SampleRequest(json: $0) } ?? SampleRequest(sample: seed.file)
        var random = SplitMix(seed: 20_261_130)
        for _ in 0..<400 { judge(MutationTests.mutate(sample.body, using: &random), sample, seed, provider) }
        guard let tree = try? JSONTree(sample.body) else { return }
        for damaged in tree.withEachValueReplaced { judge(Array(damaged.json.utf8), sample, seed, provider) }
    }

    /// As the entrance would, without its signature.
    private func judge(_ body: [UInt8], _ sample: SampleRequest, _ seed: Seed, _ provider: any Provider) {
        let blobs = KeepingBlobs()
        let hook = Hook.ID("hook")
        let settings = HookSettings(
            allowed: ["700000001", "arn:aws:sns:us-east-1:111111111111:SES_Inbound"], options: ["signature": "off"])
        let access = ProviderAccess(hook: hook, settings: settings)
        func delivery(_ body: [UInt8], type: String?, fields: [String: String] = [:]) -> StoredDelivery {
            StoredDelivery(contentType: type, fields: fields, hook: hook, bytesLimit: 1 << 20) { BodyReader(body) }
        }
        let type = sample.headers.first { $0.name == "content-type" }?.value
        let request = ProviderRequest(
            method: "POST", path: seed.path, query: [], headers: sample.headers,
            body: delivery(body, type: type), verified: nil, access: access,
            receivedAt: Date(timeIntervalSince1970: 0), blobs: blobs)
        do throws(HookError) {
            _ = try provider.inquiry(about: request)
            let intake = Intake(blobs: blobs, limits: HookLimits())
            switch try provider.receive(request) {
            case .accept(let kept, _):
                let drafts = try provider.read(delivery(body, type: type, fields: kept.fields), into: intake)
                _ = try ProviderReading.content(of: drafts, isAlbum: false, knownBoards: ["Trips"])
            case .acceptEach(let parts, _):
                for part in parts {
                    let drafts = try provider.read(delivery(part.body, type: "application/json"), into: intake)
                    _ = try ProviderReading.content(of: drafts, isAlbum: true, knownBoards: [])
                }
            case .acceptMail(let mail, _, _): #expect(mail.mime.count > 0)
            case .answer, .answerAfter, .refuse: break
            }
        } catch {
            #expect(!error.detail.isEmpty)
        }
    }
}

extension JSONTree {
    private static let strangers: [JSONTree] = [
        .null, .array([]), .object([:]), .literal("-5"), .literal("9223372036854775807"),
        .literal("-9223372036854775808"), .literal("99999999999999999999"), .text("7"), .literal("1e999"),
        .literal("true"), .text(""),
        .text("\u{0}../x"),
        .array([.null, .array([.literal("7")])]),
    ]

    /// The tree with one of its values changed to another kind, for each value and each kind.
    fileprivate var withEachValueReplaced: [JSONTree] {
        switch self {
        case .object(let members):
            return Self.strangers
                + members.flatMap { key, value in
                    value.withEachValueReplaced.map { changed in
                        var members = members
                        members[key] = changed
                        return JSONTree.object(members)
                    }
                }
        case .array(let elements):
            return Self.strangers
                + elements.indices.flatMap { index in
                    elements[index].withEachValueReplaced.map { changed in
                        var elements = elements
                        elements[index] = changed
                        return JSONTree.array(elements)
                    }
                }
        case .text, .literal, .null: return Self.strangers
        }
    }
}
