internal import PinpostCore

/// One reply: a code of RFC 5321 section 4.2 and, where it has one, the enhanced code of RFC 3463.
struct LMTPReply: Sendable, Hashable {
    let code: Int
    let enhanced: String?
    /// At least one; all but the last continue.
    let lines: [String]

    init(_ code: Int, _ enhanced: String?, _ text: String) { self.init(code, enhanced, [text]) }

    init(_ code: Int, _ enhanced: String?, _ lines: [String]) {
        (self.code, self.enhanced, self.lines) = (code, enhanced, lines)
    }

    var bytes: [UInt8] {
        let prefix = enhanced.map { $0 + " " } ?? ""
        return lines.enumerated().flatMap { index, line in
            Array("\(code)\(index + 1 < lines.count ? "-" : " ")\(prefix)\(line)\r\n".utf8)
        }
    }

    /// The client has made a mistake.
    var isMistake: Bool { code == 500 || code == 501 || code == 503 || code == 555 }
}

extension LMTPReply {
    static let ready = LMTPReply(220, nil, "Pinpost LMTP")
    static let done = LMTPReply(250, "2.0.0", "Ok")
    static let goodbye = LMTPReply(221, "2.0.0", "Bye")
    static let senderOk = LMTPReply(250, "2.1.0", "Ok")
    static let recipientOk = LMTPReply(250, "2.1.5", "Ok")
    static let startMail = LMTPReply(354, nil, "End data with <CR><LF>.<CR><LF>")
    static let cannotVerify = LMTPReply(252, "2.5.0", "Try RCPT")

    static let busy = LMTPReply(421, "4.3.2", "Too many connections")
    static let stopping = LMTPReply(421, "4.3.2", "Shutting down")
    static let tooSlow = LMTPReply(421, "4.4.2", "Timeout")
    static let enough = LMTPReply(421, "4.7.0", "Too many commands")
    /// Whatever is wrong on our side: the client keeps the mail and tries again.
    static let trouble = LMTPReply(451, "4.3.0", "Try again later")
    static let noRoom = LMTPReply(451, "4.3.1", "No room on the disk; try again later")
    static let spent = LMTPReply(452, "4.2.2", "This account has received as much as it may in a day; try again later")
    static let tooManyRecipients = LMTPReply(452, "4.5.3", "Too many recipients")

    static let tooLong = LMTPReply(500, "5.5.6", "Line too long")
    static let bareLineEnd = LMTPReply(500, "5.5.2", "Lines end with <CR><LF>")
    static let unknownCommand = LMTPReply(500, "5.5.1", "No such command")
    static let badSyntax = LMTPReply(501, "5.5.4", "Syntax error")
    static let wrongOrder = LMTPReply(503, "5.5.1", "Bad sequence of commands")
    static let noRecipients = LMTPReply(503, "5.5.1", "No valid recipients")
    static let unknownParameter = LMTPReply(555, "5.5.4", "Unsupported parameter")
    static let needsUTF8 = LMTPReply(553, "5.6.7", "SMTPUTF8 is needed for this address")
    /// For everything that is no live address, whatever the reason.
    static let noSuchAddress = LMTPReply(550, "5.1.1", "No such address")
    static let tooLarge = LMTPReply(552, "5.3.4", "Message too large")
    static let notAMail = LMTPReply(554, "5.6.0", "Not a mail")
    static let smuggled = LMTPReply(554, "5.6.0", "A line end without its other half beside a dot")

    /// The durable answer for one recipient.
    static func delivered(_ result: Result<MailIntake.Delivery, StoreError>) -> LMTPReply {
        switch result {
        case .success(.accepted(let acceptance)): LMTPReply(250, "2.0.0", "Ok \(acceptance.message)")
        case .success(.held(_)): .done
        case .failure(let error): .trouble(error)
        }
    }

    /// What the client hears of trouble with the store.
    static func trouble(_ error: StoreError) -> LMTPReply {
        error.code == .diskFull ? .noRoom : .trouble
    }

    static func greeting(limits: LMTPLimits) -> LMTPReply {
        LMTPReply(
            250, nil,
            [
                "Pinpost", "PIPELINING", "ENHANCEDSTATUSCODES", "8BITMIME", "SMTPUTF8",
                "SIZE \(limits.messageBytes)",
            ])
    }
}
