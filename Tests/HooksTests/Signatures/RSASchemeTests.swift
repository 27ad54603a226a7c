import FoundationEssentials
import PinpostTesting
import Testing

@testable import Hooks

@Suite("A scheme with RSA")
struct RSASchemeTests {
    private static let now = 1_797_847_200
    private static let pem = "-----BEGIN PUBLIC KEY-----\n\(RSASamples.publicKey)\n-----END PUBLIC KEY-----"
    private static let topic = "arn:aws:sns:us-east-1:111111111111:Mail"

    private static func notification(
        signature: String = RSASamples.notification, version: String = "1", more: String = "",
        certificate: String = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-x.pem"
    ) -> String {
        """
        {"Type":"Notification","MessageId":"m-1","TopicArn":"\(topic)","Message":"hallo\\nä",\(more)\
        "Timestamp":"2026-12-21T10:00:00.000Z","SignatureVersion":"\(version)","Signature":"\(signature)",\
        "SigningCertURL":"\(certificate)"}
        """
    }

    private func sns(
        _ body: String, secret: String = RSASamples.certificate, at now: Int = now
    ) throws(SignatureRefusal) -> VerifiedDelivery {
        try verdict(.sns, secret: secret, headers: [("Content-Type", "text/plain")], body: body, at: now)
    }

    @Test("Amazon's notification counts in both versions, with and without subject, and tells id and time")
    func notifications() throws {
        let delivery = try sns(Self.notification())
        #expect(delivery == VerifiedDelivery(id: "m-1", signedAt: Date(timeIntervalSince1970: 1_797_847_200)))
        let second = Self.notification(
            signature: RSASamples.notificationWithSubject, version: "2", more: "\"Subject\":\"S\",")
        #expect(try sns(second).id == "m-1")
        #expect(try sns(Self.notification(more: "\"Subject\":null,\"UnsubscribeURL\":\"https://x\",")).id == "m-1")
    }

    @Test("Amazon's confirmation of a subscription counts")
    func confirmation() throws {
        let body = """
            {"Type":"SubscriptionConfirmation","MessageId":"m-2","Token":"t1","TopicArn":"\(Self.topic)",\
            "Message":"You have","SubscribeURL":"https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription",\
            "Timestamp":"2026-12-21T10:00:00.000Z","SignatureVersion":"2","Signature":"\(RSASamples.confirmation)",\
            "SigningCertURL":"https://sns.us-east-1.amazonaws.com/a.pem"}
            """
        #expect(try sns(body).id == "m-2")
    }

    @Test("the key alone serves as well as its certificate")
    func key() throws {
        let delivery = try sns(Self.notification(), secret: "\(Self.topic)\n\(Self.pem)", at: 0)
        #expect(delivery.id == "m-1")
        let changed = Self.notification().replacing("hallo", with: "hello")
        #expect(refusal { () throws(SignatureRefusal) in try sns(changed, secret: Self.pem) } == .wrong)
        let damaged = Self.pem.replacing("MII", with: "MIX")
        #expect(
            refusal { () throws(SignatureRefusal) in try sns(Self.notification(), secret: damaged) } == .secretUnusable)
    }

    @Test("a topic that is named is the only one")
    func topics() throws {
        _ = try sns(Self.notification(), secret: "\(Self.topic)\n\(RSASamples.certificate)")
        let other = refusal { () throws(SignatureRefusal) in
            try sns(Self.notification(), secret: "arn:aws:sns:us-east-1:2:Mail\n\(RSASamples.certificate)")
        }
        #expect(other == .wrong)
    }

    @Test("a notification that was changed is refused")
    func changed() {
        let right = Self.notification()
        for (part, other) in [
            ("hallo", "hello"), ("m-1", "m-3"), ("10:00:00", "10:00:01"), ("Mail", "Mall"),
            ("\"SignatureVersion\":\"1\"", "\"SignatureVersion\":\"2\""),
            ("\"Message\"", "\"Subject\":\"S\",\"Message\""),
        ] {
            let body = right.split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
            #expect(refusal { () throws(SignatureRefusal) in try sns(body) } == .wrong, "\(other)")
        }
        let wrongVersion = Self.notification(version: "3")
        #expect(refusal { () throws(SignatureRefusal) in try sns(wrongVersion) } == .malformed)
        for body in ["", "[]", "null", "{}", "{\"Type\":[]}", Self.notification(signature: "!"), right + "x"] {
            #expect(throws: SignatureRefusal.self, "\(body)") { try sns(body) }
        }
    }

    @Test("a certificate that is not good yet, or no more, signs nothing")
    func days() {
        for now in [1_700_000_000, 2_500_000_000] {
            let code = refusal { () throws(SignatureRefusal) in try sns(Self.notification(), at: now) }
            #expect(code == .secretUnusable)
        }
    }

    @Test(
        "a certificate that does not lie with Amazon is refused",
        arguments: [
            "http://sns.us-east-1.amazonaws.com/a.pem", "https://sns.us-east-1.amazonaws.com.evil.example/a.pem",
            "https://s3.amazonaws.com/evil/cert.pem", "https://sns.us-east-1.amazonaws.com/a.crt",
            "https://sns.us-east-1.amazonaws.com:444/a.pem", "https://sns.us-east-1.amazonaws.com@evil.example/a.pem",
            "https://evil.example/https://sns.us-east-1.amazonaws.com/a.pem", "https://sns.a.b.amazonaws.com/a.pem",
            "https://sns..amazonaws.com/a.pem", "https://sns.us-east-1.amazonaws.com/../x/a.pem?b=.pem",
            "https://sns.us-east-1.amazonaws.comevil/a.pem", "https://sns.US-EAST-1.amazonaws.com/a.pem",
            "https://sns.us-east-1.amazonaws.com.cn.evil/a.pem", "HTTPS://sns.us-east-1.amazonaws.com/a.pem",
        ])
    func elsewhere(_ url: String) {
        #expect(!SNSAddress.isCertificate(url))
        let code = refusal { () throws(SignatureRefusal) in try sns(Self.notification(certificate: url)) }
        #expect(code == .malformed)
    }

    @Test("Amazon's own addresses are told from others")
    func addresses() {
        #expect(SNSAddress.isCertificate("https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-0a.pem"))
        #expect(SNSAddress.isCertificate("https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0a.pem"))
        #expect(SNSAddress.isConfirmation("https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&Token=1"))
        for url in [
            "https://sns.us-east-1.amazonaws.com.evil.example/", "https://sns.us-east-1.amazonaws.com/",
            "https://sns.us-east-1.amazonaws.com.evil/?Action=ConfirmSubscription",
            "http://169.254.169.254/?Action=ConfirmSubscription",
        ] { #expect(!SNSAddress.isConfirmation(url), "\(url)") }
    }

    @Test("Postal's signature of the body counts, the newer one before the older")
    func postal() throws {
        let body = "{\"id\":7}"
        let newer = ("X-Postal-Signature-256", RSASamples.body)
        let older = ("X-Postal-Signature", RSASamples.olderBody)
        let pem = "-----BEGIN PUBLIC KEY-----\n\(RSASamples.publicKey)\n-----END PUBLIC KEY-----\n"
        for (secret, headers) in [(RSASamples.publicKey, [newer]), (pem, [older]), (pem, [older, newer])] {
            #expect(try verdict(.postal, secret: secret, headers: headers, body: body).id == "7")
        }
        for headers in [[(older.0, newer.1)], [(newer.0, older.1)], [older, (newer.0, older.1)]] {
            let code = refusal { () throws(SignatureRefusal) in
                try verdict(.postal, secret: pem, headers: headers, body: body)
            }
            #expect(code == .wrong)
        }
        let missing = refusal { () throws(SignatureRefusal) in
            try verdict(.postal, secret: pem, headers: [], body: body)
        }
        #expect(missing == .incomplete)
        let changed = refusal { () throws(SignatureRefusal) in
            try verdict(.postal, secret: pem, headers: [newer], body: body + " ")
        }
        #expect(changed == .wrong)
    }
}
