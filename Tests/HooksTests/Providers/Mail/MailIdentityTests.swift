import FoundationEssentials
import Testing

@testable import Hooks

/// A mail as services post it; what they say beside it differs from attempt to attempt.
private struct PostedMail {
    var subject = "one"
    var text = "see https://example.org/a"
    var file = "first"
    var recipient = "ada@in.example"
    var attempt = 1

    private var header: String {
        """
        Received: by \(attempt)\r\nMessage-ID: <same@x>\r\nFrom: a@b\r\nSubject: \(subject)\r\n\
        X-Try: \(attempt)\r\n
        """
    }
    private var raw: String { header + "\r\n" + text + file }

    func request(to service: String) -> SampleRequest {
        switch service {
        case "sendgrid": framed(sendGrid)
        case "sendgrid raw": framed(MultipartForm().text("email", raw).text("envelope", envelope))
        case "cloudmailin": framed(cloudMailin)
        case "cloudmailin raw": framed(MultipartForm().text("envelope[to]", recipient).text("message", raw))
        case "cloudmailin json": SampleRequest(json: json)
        default:
            SampleRequest(Array(raw.utf8), type: "message/rfc822").with("x-envelope-to", recipient)
        }
    }

    private var envelope: String { "{\"to\":[\"\(recipient)\"],\"from\":\"a@b\"}" }

    private var sendGrid: MultipartForm {
        MultipartForm().text("spam_score", "0.\(attempt)").text("headers", header).text("subject", subject)
            .text("text", text).text("envelope", envelope).file("attachment1", "a.png", Array(file.utf8))
    }

    private var cloudMailin: MultipartForm {
        MultipartForm().text("headers[received][0]", "by \(attempt)").text("headers[message_id]", "<same@x>")
            .text("headers[subject]", subject).text("plain", text).text("envelope[to]", recipient)
            .file("attachments[0]", "a.png", Array(file.utf8))
            .text("attachments[1][url]", "https://b.example/\(attempt)")
    }

    private var json: String {
        """
        {"envelope":{"to":"\(recipient)","remote_ip":"192.0.2.\(attempt)"},"headers":{"received":"by \(attempt)",\
        "message_id":"<same@x>","subject":"\(subject)"},"plain":"\(text)","attachments":[\
        {"file_name":"a.png","content":"\(file)"},{"file_name":"b.png","url":"https://b.example/\(attempt)"}]}
        """
    }

    /// Each attempt has a boundary of its own.
    private func framed(_ form: MultipartForm) -> SampleRequest {
        let body = String(decoding: form.request.body, as: UTF8.self)
        return SampleRequest(
            Array(body.replacing("--bb", with: "--b\(attempt)").utf8),
            type: "multipart/form-data; boundary=b\(attempt)")
    }
}

@Suite("A mail that a service posts")
struct MailIdentityTests {
    @Test(
        "is the same at another attempt, and another one where what is pinned differs though the Message-ID does not",
        arguments: [
            "sendgrid", "sendgrid raw", "cloudmailin", "cloudmailin raw", "cloudmailin json", "cloudflare-email-worker",
        ])
    func identity(_ service: String) async throws {
        let trial = try ProviderTrial(String(service.prefix { $0 != " " }))
        func key(_ change: (inout PostedMail) -> Void) async throws -> [UInt8] {
            var mail = PostedMail()
            change(&mail)
            guard case .keep(let delivery) = try await trial.receive(mail.request(to: service)) else {
                throw SampleError()
            }
            return try #require(delivery.key)
        }
        let first = try await key { _ in }
        #expect(try await key { $0.attempt = 2 } == first)
        #expect(try await key { $0.subject = "two" } != first)
        #expect(try await key { $0.text += "b" } != first)
        #expect(try await key { $0.file = "second" } != first)
        #expect(try await key { $0.recipient = "bob@in.example" } != first)
    }

    @Test("is another one where one part holds what elsewhere two hold")
    func framing() throws {
        func id(_ parts: [(String, String)]) -> String? {
            let identity = MailIdentity()
            identity.add(field: "Message-ID", "<same@x>")
            for (name, text) in parts { identity.add(name, Array(text.utf8)) }
            return identity.id(for: "ada@in.example")
        }
        let two = try #require(id([("text", "a"), ("file", "b")]))
        #expect(id([("text", "a"), ("file", "b")]) == two)
        #expect(id([("text", "a\0file\0b")]) != two)
        #expect(id([("text", "a1:4:fileb")]) != two)
    }
}

private struct SampleError: Error {}
