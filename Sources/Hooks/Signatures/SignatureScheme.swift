internal import Cryptography
public import PinpostCore

/// The senders whose proof is known, by the names that the command line uses.
public enum SignatureScheme: String, Sendable, CaseIterable {
    case standardWebhooks = "standard-webhooks"
    case svix, github, stripe, slack, discord, telegram, twilio, line, whatsapp, mailgun, sendgrid, postmark
    case cloudmailin, hookdeck, shopify, convoy, mattermost, rocketchat
    case matrixHookshot = "matrix-hookshot"
    case sns, postal
    case genericHMAC = "generic-hmac"

    /// The check with its secret or public key; `format` is for `.genericHMAC` alone.
    /// - Throws: `.secretUnusable` for a secret that is empty or not in the scheme's form.
    public func check(
        secret: Secret, format: HMACFormat = HMACFormat()
    ) throws(SignatureRefusal) -> any SignatureCheck {
        switch self {
        case .standardWebhooks: try StandardWebhooksCheck(secret, prefixes: ["webhook"])
        case .svix: try StandardWebhooksCheck(secret, prefixes: ["svix", "webhook"])
        case .stripe: try StripeCheck(secret)
        case .slack: try SlackCheck(secret)
        case .discord: try DiscordCheck(secret)
        case .twilio: try TwilioCheck(secret)
        case .mailgun: try MailgunCheck(secret)
        case .sendgrid: try SendGridCheck(secret)
        case .sns: try SNSCheck(secret)
        case .postal: try PostalCheck(secret)
        case .telegram: try HeaderTokenCheck.telegram(secret)
        case .matrixHookshot:
            try HeaderTokenCheck(
                secret, header: "X-Matrix-Hookshot-Token", identity: .header("X-Matrix-Hookshot-EventId"))
        case .mattermost: try BodyTokenCheck(secret, identity: .fields(["post_id"]))
        case .rocketchat: try BodyTokenCheck(secret, identity: .fields(["message_id"]))
        case .postmark: try BasicCheck(secret, identity: .fields(["MessageID"]))
        case .cloudmailin: try BasicCheck(secret, identity: .none)
        case .github, .whatsapp, .line, .hookdeck, .shopify, .convoy, .genericHMAC:
            try BodyHMACCheck(
                secret, format: bodyFormat ?? format, identity: bodyIdentity,
                secondHeader: self == .hookdeck ? "X-Hookdeck-Signature-2" : nil)
        }
    }

    /// Whether the proof stands in the head alone, so that a wrong one is refused before the body is read.
    var isInHead: Bool {
        switch self {
        case .telegram, .matrixHookshot, .postmark, .cloudmailin: true
        default: false
        }
    }

    /// nil for what a person chooses.
    private var bodyFormat: HMACFormat? {
        switch self {
        case .github, .whatsapp:
            HMACFormat(header: "X-Hub-Signature-256", prefix: "sha256=", algorithm: .sha256, encoding: .hex)
        case .line: HMACFormat(header: "X-Line-Signature", prefix: "", algorithm: .sha256, encoding: .base64)
        case .hookdeck: HMACFormat(header: "X-Hookdeck-Signature", prefix: "", algorithm: .sha256, encoding: .base64)
        case .shopify: HMACFormat(header: "X-Shopify-Hmac-SHA256", prefix: "", algorithm: .sha256, encoding: .base64)
        case .convoy: HMACFormat(header: "X-Convoy-Signature", prefix: "", algorithm: .sha512)
        default: nil
        }
    }

    private var bodyIdentity: DeliveryIdentity {
        switch self {
        case .github: .header("X-GitHub-Delivery")
        case .hookdeck: .header("X-Hookdeck-EventId")
        case .shopify: .header("X-Shopify-Webhook-Id")
        default: .none
        }
    }
}
