import Cryptography
import PinpostCore
import Testing

@testable import Hooks

@Suite("A hook of a sender that signs")
struct SignedWebhookTests {
    private static let mapping = #"{"url":"/release/html_url","description":"/release/name"}"#
    private static let release = #"{"action":"published","release":{"html_url":"https://g.example/r/1","name":"One"}}"#

    private func github(_ body: String, key: String = "k", mapping: String? = mapping) async throws
        -> ProviderEntrance.Reception
    {
        let trial = try ProviderTrial("github", secret: "k", mapping: mapping)
        return try await trial.receive(
            SampleRequest(json: body).with("x-hub-signature-256", "sha256=" + hexCode(of: body, key: key))
                .with("x-github-delivery", "d1").with("x-board", "Trips"))
    }

    @Test("takes the payload by the hook's mapping, and nothing from what is not signed")
    func mapped() async throws {
        guard case .keep(let delivery) = try await github(Self.release) else {
            Issue.record("not kept")
            return
        }
        #expect(delivery.envelope.provider == nil && delivery.envelope.mapping == Self.mapping)
        #expect(delivery.envelope.fields.isEmpty && delivery.answer.status == 200 && delivery.key != nil)
        let trial = try ProviderTrial("github", secret: "k", mapping: Self.mapping)
        let content = try await trial.content(of: delivery)
        #expect(content.summary == ["link https://g.example/r/1"])
        #expect(content.wishes.description == "One" && content.wishes.board == nil)
    }

    @Test("is content with what holds nothing to pin, and stores nothing of it")
    func nothing() async throws {
        guard case .answer(let answer, _) = try await github(#"{"zen":"Keep it","hook_id":1}"#) else {
            Issue.record("kept")
            return
        }
        #expect(answer.status == 200)
    }

    @Test("refuses a wrong signature, and what is no JSON with a right one")
    func refused() async throws {
        guard case .refuse = try await github(Self.release, key: "other") else {
            Issue.record("taken")
            return
        }
        guard case .answer(let answer, _) = try await github("{") else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 400)
    }

    @Test("knows the deliveries of Standard Webhooks by their id")
    func standard() async throws {
        let secret = "whsec_a2V5a2V5a2V5a2V5a2V5a2V5"
        let body = #"{"url":"https://e.example/a"}"#
        func key(_ id: String) async throws -> [UInt8]? {
            let code = base64Code(of: "\(id).1790000000.\(body)", key: "keykeykeykeykeykey")
            let request = SampleRequest(json: body).with("webhook-id", id).with("webhook-timestamp", "1790000000")
                .with("webhook-signature", "v1,\(code)")
            return try await ProviderTrial("standard-webhooks", secret: secret).kept(request).delivery.key
        }
        #expect(try await key("m1") == key("m1"))
        #expect(try await key("m1") != key("m2"))
    }

    @Test("of any other kind says where its signature stands")
    func anyKind() async throws {
        let options = ["header": "X-Sig", "prefix": "s=", "algorithm": "sha512", "encoding": "base64"]
        let body = #"{"url":"https://e.example/a"}"#
        func reception(_ options: [String: String]) async throws -> ProviderEntrance.Reception {
            let code = base64Code(of: body, key: "k", hash: .sha512)
            return try await ProviderTrial("generic-hmac", secret: "k", options: options)
                .receive(SampleRequest(json: body).with("x-sig", "s=" + code))
        }
        guard case .keep = try await reception(options) else {
            Issue.record("not kept")
            return
        }
        for wrong in [["header": "X-Other"], ["prefix": "t="], ["algorithm": "sha256"], ["algorithm": "md5"]] {
            guard case .refuse = try await reception(options.merging(wrong) { $1 }) else {
                Issue.record("taken with \(wrong)")
                return
            }
        }
    }

    @Test("is not saved with an empty secret or an unknown form of signature")
    func saved() throws {
        #expect(throws: ProviderError.self) { try ProviderTrial("shopify", secret: " ").checkHook() }
        #expect(throws: ProviderError.self) {
            try ProviderTrial("generic-hmac", secret: "k", options: ["encoding": "base32"]).checkHook()
        }
        try ProviderTrial("generic-hmac", secret: "k", options: ["encoding": "hex"]).checkHook()
    }
}
