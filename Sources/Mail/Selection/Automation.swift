/// Whether a mail was written by a program, and what that means for its pictures.
enum Automation: Sendable, Hashable {
    /// A newsletter or a list: pinned like any mail, never answered.
    case bulk(String)
    /// A bounce, a report or an automatic reply: nothing in it was sent to be pinned.
    case reply(String)

    var reason: String {
        switch self {
        case .bulk(let reason), .reply(let reason): reason
        }
    }

    init?(_ header: HeaderBlock) {
        func words(_ name: String) -> String? {
            header.token(name).map { $0.lowercased().filter { !$0.isWhitespace } }
        }
        if header.contentType.value == "multipart/report" {
            self = .reply("multipart/report")
        } else if Self.isFromMailSystem(header) {
            self = .reply("bounce")
        } else if let submitted = words("auto-submitted"), submitted != "no", !submitted.isEmpty {
            let kind = String(submitted.prefix { $0 != ";" && $0 != "(" })
            self = kind == "auto-replied" ? .reply("auto-submitted: \(kind)") : .bulk("auto-submitted: \(kind)")
        } else if ["x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply"].contains(where: header.has) {
            self = .reply("auto-reply")
        } else if let precedence = words("precedence"), ["bulk", "junk", "list", "auto_reply"].contains(precedence) {
            self = precedence == "auto_reply" ? .reply("precedence") : .bulk("precedence")
        } else if let list = ["list-id", "list-unsubscribe", "list-post"].first(where: header.has) {
            self = .bulk(list)
        } else if words("return-path") == "<>" {
            self = .bulk("empty return path")
        } else if let suppress = words("x-auto-response-suppress"), !suppress.isEmpty, suppress != "none" {
            self = .bulk("x-auto-response-suppress")
        } else {
            return nil
        }
    }

    private static func isFromMailSystem(_ header: HeaderBlock) -> Bool {
        let local = AddressList.addresses(in: header.raw("from") ?? []).first?.prefix { $0 != "@" }.lowercased() ?? ""
        return ["mailer-daemon", "mail-daemon"].contains(local)
    }
}
