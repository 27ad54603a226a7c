internal import CurlKit
internal import FoundationEssentials
internal import PinpostCore

/// One answer as a whole mail: plain text and HTML, in 7 bits, with CR LF line ends.
struct ReplyMail {
    let recipient: MailAddress
    let bytes: [UInt8]

    /// References that are carried on (RFC 5322 section 3.6.4): a long thread keeps its newest.
    private static let mostReferences = 20
    private static let subjectLimit = 200

    init(
        _ reply: OwedReply, to recipient: MailAddress, answering original: HeaderBlock, voice: ReplyVoice, date: Date
    ) {
        self.recipient = recipient
        let redaction = TokenRedaction(addressing: voice.addressing)
        let text = ReplyText(reply, redaction: redaction)
        // Quoted-printable never contains "=_": no text can end its part early.
        let boundary = "=_pinpost_\(reply.message.id)"
        var header = [
            "Date: \(Self.rfc5322(date))",
            "From: Pinpost <\(voice.from)>",
            "To: <\(recipient)>",
            EncodedHeader.field("Subject", Self.subject(of: original, redaction)),
            "Message-ID: \(OwnMessageID.make(for: reply.message.id, at: voice.from.domain))",
        ]
        header += Self.thread(original)
        header += [
            "Auto-Submitted: auto-replied",
            "X-Auto-Response-Suppress: All",
            "X-Loop: \(voice.from)",
            "MIME-Version: 1.0",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
        ]
        let parts = [("plain", text.plain), ("html", text.html)].map { kind, text in
            """
            --\(boundary)
            Content-Type: text/\(kind); charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            \(QuotedPrintableEncoder.encode(text))
            """
        }
        let mail = header.joined(separator: "\n") + "\n\n" + parts.joined(separator: "\n") + "\n--\(boundary)--\n"
        bytes = mail.utf8.flatMap { $0 == UInt8(ascii: "\n") ? [UInt8(ascii: "\r"), $0] : [$0] }
    }

    private static func subject(of original: HeaderBlock, _ redaction: TokenRedaction) -> String {
        let plain = SubjectPrefixes.stripped(original.text("subject") ?? "")
        let safe = redaction.redact(plain).prefix(subjectLimit)
        return safe.isEmpty ? "Re: your mail" : "Re: \(safe)"
    }

    /// In-Reply-To and References, of ids that are ids.
    private static func thread(_ original: HeaderBlock) -> [String] {
        let id = ids(in: original.token("message-id") ?? "").first
        let references = ids(in: original.token("references") ?? original.token("in-reply-to") ?? "")
        guard let id else { return [] }
        let line = (references.suffix(mostReferences) + [id]).joined(separator: "\n ")
        return ["In-Reply-To: \(id)", "References: \(line)"]
    }

    private static func ids(in field: String) -> [String] {
        field.split(whereSeparator: \.isWhitespace).compactMap { word in
            let isID =
                word.hasPrefix("<") && word.hasSuffix(">") && word.contains("@") && word.utf8.count <= 250
                && word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                && !word.dropFirst().dropLast().contains { "<>".contains($0) }
            return isID ? String(word) : nil
        }
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// RFC 5322 section 3.3, in UTC.
    static func rfc5322(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let weekday = weekdays[((parts.weekday ?? 1) - 1) % 7]
        let month = months[((parts.month ?? 1) - 1) % 12]
        let time = [parts.hour, parts.minute, parts.second].map { part in
            let text = String(part ?? 0)
            return text.utf8.count < 2 ? "0\(text)" : text
        }
        return "\(weekday), \(parts.day ?? 1) \(month) \(parts.year ?? 1970) \(time.joined(separator: ":")) +0000"
    }
}
