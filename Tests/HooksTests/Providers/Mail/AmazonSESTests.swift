import PinpostCore
import PinpostTesting
import Testing

@testable import Hooks

@Suite("Amazon SES by SNS")
struct AmazonSESTests {
    private static let topic = "arn:aws:sns:us-east-1:111111111111:SES_Inbound"
    private static let signedTopic = "arn:aws:sns:us-east-1:111111111111:Mail"
    private static let certificate = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-x.pem"

    private func trial(
        topic: String = topic, signature: String? = "off", apiBase: String? = nil,
        answers: [String: HTTPResponse] = [:]
    ) throws -> ProviderTrial {
        var options = ["topic": topic]
        options["signature"] = signature
        return try ProviderTrial(
            "aws-ses-sns", apiBase: apiBase, options: options, answers: answers, now: 1_797_847_200)
    }

    private func notification(
        _ message: String, topic: String = topic, type: String = "Notification", more: String = ""
    ) -> SampleRequest {
        SampleRequest(
            json: """
                {"Type":"\(type)","MessageId":"m-9","TopicArn":"\(topic)","Message":\(JSONText.quote(message)),\(more)\
                "Timestamp":"2026-12-21T10:00:00.000Z","SignatureVersion":"1","Signature":"QQ==",\
                "SigningCertURL":"\(Self.certificate)"}
                """, headers: [("content-type", "text/plain; charset=UTF-8")])
    }

    @Test(
        "the sample's notification holds a mail, which goes the mail way",
        .enabled(if: Samples.areThere, "the samples are not on this machine"))
    func sample() async throws {
        let kept = try await trial().kept(SampleRequest(sample: "aws-ses-sns/notification.json"))
        #expect(kept.delivery.source == .mail)
        #expect(kept.mime.hasPrefix("From: Ada <ada@example.org>\r\n"))
        #expect(kept.delivery.envelope.recipient == "ada@in.example")
    }

    @Test(
        "the sample's subscription is confirmed at an address that we make",
        .enabled(if: Samples.areThere, "the samples are not on this machine"))
    func confirmation() async throws {
        let url =
            "https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=\(Self.topic)&Token=2336412f37"
        let trial = try trial(answers: [url: .answer(200, "<ok/>")])
        let sample = try SampleRequest(sample: "aws-ses-sns/subscription-confirmation.json")
        guard case .answer(let answer, _) = try await trial.receive(sample) else {
            Issue.record("not answered")
            return
        }
        #expect(answer.status == 200)
        #expect(trial.http.sent.map(\.request.url) == [url])
        // A confirmation that does not come through is asked for again.
        guard case .answer(let later, _) = try await self.trial().receive(sample) else {
            Issue.record("not answered")
            return
        }
        #expect(later.status == 503)
    }

    @Test(
        "a forged confirmation is refused without a request",
        .enabled(if: Samples.areThere, "the samples are not on this machine"))
    func forged() async throws {
        for signature in ["off", nil] {
            let trial = try trial(signature: signature)
            guard case .refuse = try await trial.receive(SampleRequest(sample: "aws-ses-sns/evil-subscribe-url.json"))
            else {
                Issue.record("taken")
                return
            }
            #expect(trial.http.sent.isEmpty)
        }
    }

    @Test("another topic is refused without a request, also where none is configured")
    func topics() async throws {
        for topic in ["arn:aws:sns:us-east-1:2:Other", ""] {
            for signature in ["off", nil] {
                let trial = try trial(topic: topic, signature: signature)
                guard case .refuse = try await trial.receive(notification("{}")) else {
                    Issue.record("taken")
                    return
                }
                #expect(trial.http.sent.isEmpty)
            }
        }
    }

    @Test("a signature is checked with Amazon's certificate, which is fetched once")
    func signed() async throws {
        let base = "http://127.0.0.1:9"
        let answer = HTTPResponse.answer(200, RSASamples.certificate)
        let trial = try trial(
            topic: Self.signedTopic, signature: nil, apiBase: base,
            answers: ["\(base)/SimpleNotificationService-x.pem": answer])
        let body = """
            {"Type":"Notification","MessageId":"m-1","TopicArn":"\(Self.signedTopic)","Message":"hallo\\nä",\
            "Timestamp":"2026-12-21T10:00:00.000Z","SignatureVersion":"1","Signature":"\(RSASamples.notification)",\
            "SigningCertURL":"\(Self.certificate)"}
            """
        for _ in 0..<2 {
            guard case .answer(let answer, let log) = try await trial.receive(SampleRequest(json: body)) else {
                Issue.record("refused")
                return
            }
            #expect(answer.status == 200 && log == "a notification that is no mail")
        }
        #expect(trial.http.sent.count == 1)
        guard case .refuse = try await trial.receive(notification("hallo", topic: Self.signedTopic)) else {
            Issue.record("a wrong signature was taken")
            return
        }
        // Without the certificate nothing is known: Amazon is to try again.
        let away = try self.trial(topic: Self.signedTopic, signature: nil, apiBase: base)
        guard case .answer(let later, _) = try await away.receive(SampleRequest(json: body)) else {
            Issue.record("not answered")
            return
        }
        #expect(later.status == 503)
    }

    @Test("plain content is taken as it is, and what has none is answered")
    func contents() async throws {
        let mail = """
            {"notificationType":"Received","content":"From: ä@x\\r\\n\\r\\nhi","mail":{"source":"a@b","destination":["c+trips@d"]},\
            "receipt":{"action":{"type":"SNS","encoding":"UTF-8"}}}
            """
        let kept = try await trial().kept(notification(mail, more: "\"Subject\":\"x\","))
        #expect(kept.mime == "From: ä@x\r\n\r\nhi")
        #expect(kept.delivery.envelope.boardSlug == "trips")
        for message in [
            "Successfully validated SNS topic for Amazon SES event publishing.", "{}", "[]",
            "{\"notificationType\":\"Bounce\"}", "{\"notificationType\":\"AmazonSnsSubscriptionSucceeded\"}",
            "{\"notificationType\":\"Received\",\"receipt\":{\"action\":{\"type\":\"S3\"}}}",
        ] {
            guard case .answer(let answer, _) = try await trial().receive(notification(message)) else {
                Issue.record("taken: \(message)")
                continue
            }
            #expect(answer.status == 200)
        }
        guard case .answer = try await trial().receive(notification("x", type: "UnsubscribeConfirmation")) else {
            Issue.record("taken")
            return
        }
    }

    @Test("raw delivery counts only where no signature is wanted, by the topic in its header")
    func rawDelivery() async throws {
        let mail = SampleRequest(
            json: "{\"notificationType\":\"Received\",\"content\":\"From: a@b\\r\\n\\r\\nhi\"}",
            headers: [
                ("x-amz-sns-rawdelivery", "true"), ("x-amz-sns-topic-arn", Self.topic), ("x-amz-sns-message-id", "7"),
            ])
        let kept = try await trial().kept(mail)
        #expect(kept.mime == "From: a@b\r\n\r\nhi" && kept.delivery.key != nil)
        guard case .refuse = try await trial(signature: nil).receive(mail) else {
            Issue.record("taken")
            return
        }
        guard case .refuse = try await trial().receive(mail.with("x-amz-sns-topic-arn", "arn:other")) else {
            Issue.record("taken")
            return
        }
    }

    @Test(
        "what is no message of SNS gets 400", arguments: ["", "null", "[]", "7", "{}", "{\"Type\":[],\"TopicArn\":{}}"])
    func malformed(_ body: String) async throws {
        guard case .answer(let answer, _) = try await trial().receive(SampleRequest(json: body)) else {
            Issue.record("taken")
            return
        }
        #expect(answer.status == 400)
    }
}
