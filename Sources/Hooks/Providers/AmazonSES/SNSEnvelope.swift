internal import FoundationEssentials
internal import PinpostCore

/// What SNS wraps around a message.
struct SNSEnvelope {
    let type: String
    let id: String?
    let topic: String
    let message: String
    private let token: String
    private let subscribeURL: String
    private let certificate: String
    /// Raw delivery: no wrapper, and nothing signed.
    let isBare: Bool

    init(_ request: ProviderRequest) throws(HookError) {
        isBare = request.header("x-amz-sns-rawdelivery")?.lowercased() == "true"
        guard !isBare else {
            type = "Notification"
            id = request.header("x-amz-sns-message-id")
            topic = request.header("x-amz-sns-topic-arn") ?? ""
            message = String(decoding: try request.body.bytes(), as: UTF8.self)
            (token, subscribeURL, certificate) = ("", "", "")
            return
        }
        let body = try request.body.object()
        guard let type = body["Type"]?.text, let topic = body["TopicArn"]?.text else {
            throw HookError(.malformed, "The body is not a message of Amazon SNS.")
        }
        self.type = type
        self.topic = topic
        id = body["MessageId"]?.text
        message = body["Message"]?.text ?? ""
        token = body["Token"]?.text ?? ""
        subscribeURL = body["SubscribeURL"]?.text ?? ""
        certificate = body["SigningCertURL"]?.text ?? ""
    }

    func isOf(_ topics: Set<String>) -> Bool { topics.contains(topic) }

    /// nil where it does not lie with Amazon.
    func certificateURL(with access: ProviderAccess) -> String? {
        guard SNSAddress.isCertificate(certificate), let address = ServiceAddress(certificate) else { return nil }
        return (access.settings.apiBase ?? "https://\(address.host)") + address.path
    }

    func isSigned(_ request: ProviderRequest) throws(HookError) -> Bool {
        guard let answer = request.fetched else { return false }
        // Amazon has it and does not give it now: worth another attempt.
        guard answer.status == 200 else { throw HookError(.unavailable, "Amazon's certificate cannot be fetched.") }
        let signed = SignedRequest(headers: [], body: try request.body.bytes())
        do throws(SignatureRefusal) {
            _ = try SNSCheck(certificate: answer.body, topics: [topic]).verify(signed, now: request.receivedAt)
            return true
        } catch {
            return false
        }
    }

    /// The call that confirms the subscription, made of the topic: the address in the message is only checked.
    func confirmation(with access: ProviderAccess) -> ProviderCall? {
        let arn = topic.split(separator: ":", omittingEmptySubsequences: false)
        guard SNSAddress.isConfirmation(subscribeURL), arn.count == 6, arn[2] == "sns",
            arn[3].utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }),
            (1...2_048).contains(token.utf8.count), token.utf8.allSatisfy(\.isLetterOrDigit),
            topic.utf8.allSatisfy({ $0.isLetterOrDigit || ":-_.".utf8.contains($0) })
        else { return nil }
        let base = access.settings.apiBase ?? "https://sns.\(arn[3]).amazonaws.com\(arn[1] == "aws-cn" ? ".cn" : "")"
        let url = "\(base)/?Action=ConfirmSubscription&TopicArn=\(topic)&Token=\(token)"
        return ProviderCall(
            HTTPRequest(url: url, timeout: .seconds(10)), as: .provider(host: ProviderAccess.host(of: url)))
    }
}

/// What SES says of a mail that it has received.
struct SESNotice {
    let recipients: [String]
    var recipient: String? { recipients.first }
    var sender: String?
    var action = ""
    /// The raw mail, where the action puts it into the notification.
    var mime: [UInt8]?

    /// nil for anything but a received mail.
    init?(_ message: String) {
        let bytes = Array(message.utf8)
        let source = ByteSource(BodyReader(bytes), limit: bytes.count)
        guard let notice = try? JSONTree(reading: source, limits: HookLimits()),
            notice["notificationType"]?.text == "Received"
        else { return nil }
        let receipt = notice["receipt"]
        let places = [receipt?["recipients"], notice["mail"]?["destination"]]
        recipients = places.map { ($0?.elements ?? []).compactMap(\.text) }.first { !$0.isEmpty } ?? []
        sender = notice["mail"]?["source"]?.text
        action = String((receipt?["action"]?["type"]?.text ?? "nothing").prefix(20))
        guard let content = notice["content"]?.text else { return }
        let encoding = receipt?["action"]?["encoding"]?.text?.uppercased()
        mime = encoding == "BASE64" ? SignatureEncoding.base64.decode(content) : Array(content.utf8)
    }
}
