import CurlKit
import PinpostCore

extension ConfigurationReader {
    /// nil where no server is named, or together with a problem.
    mutating func outgoing() -> OutgoingMail? {
        let expected = "smtps://HOST or smtp://HOST, with :PORT if you like"
        let server = value(.smtpURL, expected: expected, Self.server)
        let from = replyAddress(isNeeded: server != nil)
        let (user, password) = (text(.smtpUser), secret(.smtpPassword))
        let (passwordFile, caFile) = (path(.smtpPasswordFile), path(.smtpCAFile))
        if password != nil, passwordFile != nil {
            complain(
                about: ConfigurationKey.smtpPasswordFile.rawValue, "PINPOST_SMTP_PASSWORD is set as well.",
                "Keep one of them.")
        }
        if (user == nil) != (password == nil && passwordFile == nil) {
            complain(
                about: ConfigurationKey.smtpUser.rawValue, "A user and a password go together.",
                "Set PINPOST_SMTP_USER and PINPOST_SMTP_PASSWORD_FILE, or neither.")
        }
        guard let server, let from else { return nil }
        return OutgoingMail(
            server: server, user: user, password: password, passwordFile: passwordFile, caFile: caFile, from: from)
    }

    private mutating func replyAddress(isNeeded: Bool) -> MailAddress? {
        let address = value(.replyFrom, expected: "a mail address such as pins@example.org") { MailAddress($0) }
        guard address == nil, isNeeded, text(.replyFrom) == nil else { return address }
        // In the envelope stands what every server understands.
        let standard = MailAddressing(mailAddress: text(.mailAddress) ?? MailSettings.standard).flatMap {
            MailAddress("\($0.mailbox)@\(HostName.ascii($0.domain))")
        }
        if standard == nil {
            complain(
                about: ConfigurationKey.replyFrom.rawValue, "PINPOST_MAIL_ADDRESS cannot be the sender of mails.",
                "Set it to a mail address such as pins@example.org.")
        }
        return standard
    }

    /// Only the loopback may be reached in the clear.
    private static func server(_ text: String) -> StreamTarget? {
        guard let range = text.firstRange(of: "://") else { return nil }
        let isTLS: Bool
        switch text[..<range.lowerBound] {
        case "smtps": isTLS = true
        case "smtp": isTLS = false
        default: return nil
        }
        var place = text[range.upperBound...]
        if place.hasSuffix("/") { place = place.dropLast() }
        let standard = isTLS ? OutgoingMail.tlsPort : OutgoingMail.submissionPort
        guard let found = HostAndPort(place) ?? HostAndPort("\(place):\(standard)"), found.port > 0 else { return nil }
        let isLoopback = ["127.0.0.1", "::1", "localhost"].contains(found.host)
        return StreamTarget(
            host: found.host, port: Int(found.port), encryption: isTLS ? .tls : isLoopback ? .none : .starttls)
    }
}
