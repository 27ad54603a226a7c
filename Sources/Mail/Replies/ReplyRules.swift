internal import CurlKit
internal import PinpostCore

/// Who is answered, and when (RFC 3834 section 2).
enum ReplyRules {
    /// Throws `.withheld` where the tenant wants no answer of this kind.
    static func checkWish(for reply: OwedReply) throws(ReplyError) {
        switch reply.tenant.preferences.replies ?? .always {
        case .always: return
        case .failures where reply.hasFailed: return
        case .failures: throw ReplyError(.withheld, "the tenant wants answers about failures alone")
        case .never: throw ReplyError(.withheld, "the tenant wants no answers")
        }
    }

    /// The one address in the one `From` of a person's mail; throws `.withheld` for everything else.
    static func recipient(
        of header: HeaderBlock, envelope: Envelope, voice: ReplyVoice
    ) throws(ReplyError) -> MailAddress {
        if let automation = Automation(header) { throw ReplyError(.withheld, "automated mail: \(automation.reason)") }
        if envelope.sender == "" { throw ReplyError(.withheld, "an empty return path") }
        if header.has("x-loop") { throw ReplyError(.withheld, "a loop") }
        if OwnMessageID.isOurs(header.token("message-id") ?? "") { throw ReplyError(.withheld, "our own mail") }
        let fields = header.all("from")
        let addresses = fields.first.map(AddressList.addresses) ?? []
        guard fields.count == 1, addresses.count == 1, let sender = MailAddress(addresses[0]) else {
            throw ReplyError(.withheld, "no single plain sender")
        }
        guard !isOurs(sender, voice) else { throw ReplyError(.withheld, "our own address") }
        guard !ProgramName.isOne(sender.localPart) else { throw ReplyError(.withheld, "the address of a program") }
        return sender
    }

    private static func isOurs(_ sender: MailAddress, _ voice: ReplyVoice) -> Bool {
        let address = sender.description.lowercased()
        return address == voice.from.description.lowercased() || voice.addressing.isMailbox(address)
            || voice.addressing.recipient(address) != nil
    }
}

extension OwedReply {
    /// Something did not become a pin, or nothing did.
    var hasFailed: Bool { items.isEmpty || items.contains { $0.state == .parked } || !pending.isEmpty }
}

/// The Message-IDs of answers: the same for every attempt, so that a repeat is recognised.
enum OwnMessageID {
    private static let prefix = "<pinpost.reply."

    static func make(for message: Message.ID, at domain: String) -> String { "\(prefix)\(message)@\(domain)>" }
    static func isOurs(_ id: String) -> Bool { id.hasPrefix(prefix) }
}
