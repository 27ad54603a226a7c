/// Receives what the parser finds, in the order of the mail.
///
/// For every leaf part `begin`, `content` (any number of times) and `end` come in turn; leaves never overlap.
protocol MIMEHandler: AnyObject {
    /// The header of the message itself (nesting 0) or of one inside it.
    func message(_ header: HeaderBlock, nesting: Int)
    func begin(_ part: MIMEPart) throws(MailError)
    /// Decoded bytes of the part that began last; they do not outlive the call.
    func content(_ bytes: UnsafeRawBufferPointer) throws(MailError)
    /// The part is over: by a boundary, or because the mail ends.
    func end() throws(MailError)
    /// Something was not read.
    func exceeded(_ limit: MIMELimit)
}

/// A limit of `MailLimits` that made the parser leave something out.
enum MIMELimit: Sendable, Hashable {
    case parts, multipartDepth, messageDepth, partHeader
}

/// A part that holds content: no multipart and no readable message.
struct MIMEPart: Sendable {
    let header: HeaderBlock
    /// The declared type in lower case, with the default filled in: `text/plain`.
    let type: String
    /// The subtypes of the multiparts around it, outermost first: `["mixed", "related"]`.
    let containers: [String]
    /// How many forwarded messages it is in.
    let nesting: Int

    var disposition: MIMEValue { MIMEValue(header.raw("content-disposition") ?? []) }

    var contentID: String? {
        header.token("content-id").map { String($0.filter { $0 != "<" && $0 != ">" && !$0.isWhitespace }) }
    }
}
