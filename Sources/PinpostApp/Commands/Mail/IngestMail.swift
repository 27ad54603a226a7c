import Administration
import Mail
import PinpostCore

extension Command {
    private static let recipient = Flag("recipient", "ADDRESS", "the address that the mail is for, from the envelope")
    private static let sender = Flag("sender", "ADDRESS", "the sender in the envelope, where it is known")

    static let ingestMail = Command(
        "ingest mail", "take one mail from standard input, as a mail server's pipe",
        flags: [AnyFlag(recipient), AnyFlag(sender)],
        notes: """
            It ends with 0 once the mail is on disk; a mail that is there already changes nothing. 67: no such address;
            65: not a mail, or over PINPOST_MAIL_MIB; 75: try again later, for everything else, a wrong command line too.
            Postfix, master.cf: pinpost unix - n n - 4 pipe flags=Rq user=pinpost null_sender=
              argv=/usr/local/bin/pinpost ingest mail --recipient=${original_recipient} --sender=${sender}
            Exim, a transport with driver = pipe and temp_errors = 75:
              command = /usr/local/bin/pinpost ingest mail --recipient=$local_part@$domain --sender=$sender_address
            Mail servers that can do LMTP are better served by PINPOST_LMTP_LISTEN: see docs/mail-servers.md.
            """,
        isPipe: true
    ) { arguments, context in
        let action = IngestMail(
            recipient: try arguments.required(recipient), sender: try arguments.value(sender))
        let accepted = try await context.withAdministration {
            let input = FileBody(context.console.input, closes: false, pool: context.pool)
            return try await $0.perform(action, body: input)
        }
        try context.print(accepted) { _ in "" }
        return .done
    }
}

/// Stores the mail in the body for the tenant behind the recipient.
struct IngestMail: AdminAction {
    static let name = "ingest.mail"

    var recipient: String
    var sender: String?

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> IngestedMail {
        let intake = desk.mail
        guard let destination = try await intake.destination(of: recipient) else {
            throw Failure("unknown_address", "There is no such address.", exit: .unknownAddress)
        }
        guard !intake.isSpent(destination) else {
            throw Failure(
                "spent",
                "This account has received as much as it may in a day (PINPOST_TENANT_DAILY_MIB); try again later.",
                exit: .tryLater)
        }
        let mail = intake.begin()
        while true {
            let piece = try await body.next()
            guard !piece.isEmpty else { break }
            guard mail.count + piece.count <= desk.mailBytes else {
                throw Failure(
                    "too_large", "The mail is over \(desk.mailBytes >> 20) MiB (PINPOST_MAIL_MIB).", exit: .wrongData)
            }
            try await intake.take(piece, of: mail)
        }
        guard mail.isMail else {
            throw Failure(
                "not_a_mail", "The input is no mail: it has no header as mails have it.", exit: .wrongData)
        }
        let results = try await intake.accept(mail, for: [destination], from: sender)
        guard let result = results.first else { throw StoreError(.unavailable) }
        return switch try result.get() {
        case .accepted(let acceptance):
            IngestedMail(message: acceptance.message.rawValue, isRepeat: acceptance.isRepeat, isHeld: false)
        case .held(let id): IngestedMail(message: nil, isRepeat: false, isHeld: true, quarantine: id.rawValue)
        }
    }
}

/// What became of a mail from the pipe.
struct IngestedMail: Codable, Sendable {
    /// nil: nobody's; `pinpost quarantine list` has it.
    @Nullable var message: String?
    var isRepeat: Bool
    var isHeld: Bool
    /// Its id there.
    @Nullable var quarantine: String?

    enum CodingKeys: String, CodingKey {
        case message, quarantine
        case isRepeat = "repeat"
        case isHeld = "held"
    }
}
