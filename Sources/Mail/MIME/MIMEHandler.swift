/// Receives what the parser finds, in the order of the mail.
///
/// For every leaf part `begin`, `content` (any number of times) and `end` come in turn; leaves never overlap.
protocol MIMEHandler: AnyObject {
    /// The header of the message itself (nesting 0) or of one inside it.
    func message(_ header: HeaderBlock, nesting: Int)
    func begin(_ part: MIMEPart) throws(MailError)
    /// Decoded bytes of the part that began last; they do not outlive the call.
    func content(_ bytes: UnsafeRawBufferPointer) throws(MailError)
    /// The part is over.
    func end(_ arrival: Arrival) throws(MailError)
    /// Something was not read.
    func exceeded(_ limit: MIMELimit)
}

/// How the content of a part came.
enum Arrival: Sendable, Hashable {
    /// Up to the mark that ends it.
    case whole
    /// Up to the end of the mail, where no mark is due: nothing tells whether that is all.
    case unmarked
    /// The mail ended before the mark.
    case cut
    /// Some of it could not be decoded and is missing.
    case damaged
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
    let disposition: MIMEValue

    init(header: HeaderBlock, type: String, containers: [String], nesting: Int) {
        self.header = header
        self.type = type
        self.containers = containers
        self.nesting = nesting
        disposition = MIMEValue(header.raw("content-disposition") ?? [])
    }

    /// Whether it is a signed mail in one piece, or an encrypted one (RFC 8551 section 3.2), and not only certificates.
    var isSignedContent: Bool {
        let isNamed = type == "application/pkcs7-mime" || type == "application/x-pkcs7-mime"
        guard isNamed || type == "application/octet-stream" && hasSMIMEName else { return false }
        return header.contentType.parameter("smime-type")?.lowercased() != "certs-only"
    }

    private var hasSMIMEName: Bool {
        let name = disposition.parameter("filename") ?? header.contentType.parameter("name") ?? ""
        return name.lowercased().hasSuffix(".p7m")
    }

    var contentID: String? {
        header.token("content-id").map { String($0.filter { $0 != "<" && $0 != ">" && !$0.isWhitespace }) }
    }
}
