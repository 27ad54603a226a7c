/// One answer of the server (RFC 9051 section 7), as far as we use it.
enum IMAPResponse {
    /// The end of the command with that tag.
    case completed(tag: String, IMAPStatus)
    /// `* OK`, `* NO`, `* BAD`, `* BYE`, `* PREAUTH`.
    case status(IMAPStatus)
    /// `+`: the server waits for us.
    case goAhead
    case capabilities([String])
    /// UIDs, in the order of the server.
    case search([UInt32])
    /// So many mails are in the folder.
    case exists(Int)
    /// One mail less is in the folder.
    case expunged
    case fetched(FetchedItem)
    /// Of no use to us: FLAGS, VANISHED, LIST …
    case other
}

/// `OK [CODE …] words` and its kin.
struct IMAPStatus {
    enum Condition: String {
        case ok = "OK"
        case no = "NO"
        case bad = "BAD"
        case bye = "BYE"
        case preauth = "PREAUTH"
    }

    let condition: Condition
    /// What stands in brackets, its name in capitals: `["UIDVALIDITY", "17"]`.
    let code: [String]
    let words: String

    /// Reads what stands behind the condition.
    init(_ condition: Condition, _ text: String) {
        self.condition = condition
        guard text.hasPrefix("["), let end = text.firstIndex(of: "]") else {
            (code, words) = ([], text)
            return
        }
        var pieces = text[text.index(after: text.startIndex)..<end].split(separator: " ").map(String.init)
        if let name = pieces.first { pieces[0] = name.uppercased() }
        code = pieces
        words = String(text[text.index(after: end)...].drop { $0 == " " })
    }

    /// Words and code for people.
    var detail: String {
        let text = code.isEmpty ? words : "[\(code.joined(separator: " "))] \(words)"
        return String(text.prefix(400))
    }

    /// What a refused command throws.
    ///
    /// `.busy` concerns all of the mailbox, `.refused`, which SERVERBUG is too, this command and its mails alone.
    var error: IMAPError {
        let code: IMAPError.Code =
            condition == .bye ? .closed : BusyWords.mean(code: self.code.first, words) ? .busy : .refused
        return IMAPError(code, detail, responseCode: self.code.first)
    }
}

/// What one FETCH answer says about a mail.
struct FetchedItem {
    var uid: UInt32?
    /// `RFC822.SIZE`; some servers only estimate it.
    var size: Int?
    /// `INTERNALDATE`, in seconds since 1970.
    var arrival: Int?
    /// A part of the body was among the items.
    var hasContent = false
    /// The body, where one was asked for and came.
    var mail: ArrivingMail?
}
