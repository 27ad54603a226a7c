internal import PinpostCore

/// Sorts what the parser finds into texts, stored pictures and what is left out.
final class PartCollector: MIMEHandler, Findings {
    /// A text part as it came, after its transfer encoding.
    struct TextPart {
        let isHTML: Bool
        /// A text with a file name may be the body of a mail that has no other.
        let name: String?
        let bytes: [UInt8]
        let type: MIMEValue
        let nesting: Int
        /// How many texts come before it.
        let number: Int
    }

    /// A picture that a mail program shows between the texts, without any HTML that says so.
    struct PlaceOfPicture {
        let mark: String
        /// How many texts come before it.
        let textsBefore: Int
        let nesting: Int
    }

    private enum Current {
        case none
        case text(TextSink, MIMEPart)
        case attachment(AttachmentSink)
        /// Labelled as text: the first bytes tell whether it is a picture.
        case undecidedText(MIMEPart, head: [UInt8])
    }

    /// The header of the outermost message.
    private(set) var header = HeaderBlock()
    private(set) var texts: [TextPart] = []
    private(set) var places: [PlaceOfPicture] = []
    private(set) var findings: [Finding] = []

    private let limits: MailLimits
    private let blobs: any BlobStore
    private var current = Current.none
    private var textLeft: Int
    private var exceededLimits: Set<MIMELimit> = []

    init(limits: MailLimits, blobs: any BlobStore) {
        self.limits = limits
        self.blobs = blobs
        textLeft = limits.allTextBytes
    }

    /// What raw 8-bit bytes of a header are likely to be that names no charset: that of the first text.
    var charsetHint: String? { header.charsetHint ?? texts.first.flatMap(MailText.charset(of:)) }

    func message(_ header: HeaderBlock, nesting: Int) {
        if nesting == 0 { self.header = header }
    }

    func begin(_ part: MIMEPart) throws(MailError) {
        if Self.isText(part) {
            current = .undecidedText(part, head: [])
        } else {
            var label = AttachmentLabel(part, charsetHint: charsetHint)
            notePlace(of: &label)
            current = .attachment(sink(for: label))
        }
    }

    private func notePlace(of label: inout AttachmentLabel) {
        guard label.isInline, label.contentID == nil else { return }
        // No content id has a blank.
        let place = PlaceOfPicture(
            mark: "picture \(places.count)", textsBefore: texts.count, nesting: label.nesting)
        places.append(place)
        label.stand(at: place.mark)
    }

    func content(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        switch current {
        case .none: break
        case .text(let sink, _): try sink.write(bytes)
        case .attachment(let sink): try sink.write(bytes)
        case .undecidedText(let part, var head):
            head += bytes
            current = .undecidedText(part, head: head)
            if head.count >= PictureType.prefixLength { try decide(part, head) }
        }
    }

    func end(_ arrival: Arrival) throws(MailError) {
        if case .undecidedText(let part, let head) = current { try decide(part, head) }
        defer { current = .none }
        switch current {
        case .attachment(let sink): add(try sink.finish(arrival))
        case .text(let sink, let part):
            let bytes = try sink.finish()
            textLeft -= bytes.count
            texts.append(
                TextPart(
                    isHTML: part.type == "text/html",
                    name: AttachmentLabel(part, charsetHint: charsetHint).name, bytes: bytes,
                    type: part.header.contentType, nesting: part.nesting, number: texts.count))
            if sink.isCut {
                add(
                    .skipped(
                        SkippedPart(
                            .file, name: nil, type: part.type, bytes: nil,
                            reason: "text of more than \(limits.textBytes >> 20) MiB; the rest was not read",
                            isLoss: true)))
            }
        case .none, .undecidedText: break
        }
    }

    func exceeded(_ limit: MIMELimit) {
        guard exceededLimits.insert(limit).inserted else { return }
        let reason =
            switch limit {
            case .parts: "more than \(limits.parts) parts; the rest was not read"
            case .multipartDepth: "parts inside each other deeper than \(limits.multipartDepth) levels"
            case .messageDepth: "messages inside each other deeper than \(limits.messageDepth) levels"
            case .partHeader: "a part with a header over the limit"
            }
        add(.skipped(SkippedPart(.file, name: nil, reason: reason, isLoss: true)))
    }

    func sink(for label: AttachmentLabel) -> AttachmentSink {
        AttachmentSink(label, blobs: blobs, limit: limits.pictureBytes, findings: self)
    }

    func sink(inside label: AttachmentLabel) -> AttachmentSink {
        AttachmentSink(label, blobs: blobs, limit: limits.pictureBytes, findings: nil)
    }

    func add(_ finding: Finding) { findings.append(finding) }

    /// Removes everything that was stored: the mail will not be used.
    func discardAll() {
        if case .attachment(let sink) = current { sink.discard() }
        for case .picture(let picture) in findings { blobs.discard(picture.bytes) }
        findings = []
    }

    private func decide(_ part: MIMEPart, _ head: [UInt8]) throws(MailError) {
        // SVG is text and may be the start of a page.
        if let type = PictureType.sniff(head), type != .svg {
            current = .attachment(sink(for: AttachmentLabel(part, charsetHint: charsetHint)))
        } else {
            let filter: any TextFilter =
                part.type == "text/html"
                ? DataLinkFilter(findings: self, nesting: part.nesting)
                : UUFilter(findings: self, nesting: part.nesting)
            current = .text(TextSink(filter: filter, limit: min(limits.textBytes, textLeft)), part)
        }
        try head.lend { (bytes) throws(MailError) in try content(bytes) }
    }

    /// A text to be read, not a file that happens to be text.
    private static func isText(_ part: MIMEPart) -> Bool {
        (part.type == "text/plain" || part.type == "text/html") && !part.disposition.value.hasPrefix("attachment")
    }
}
