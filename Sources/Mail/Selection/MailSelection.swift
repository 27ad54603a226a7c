internal import PinpostCore

/// Makes a message's content of what the collector found.
struct MailSelection {
    private let header: HeaderBlock
    private let findings: [Finding]
    private let text: MailText
    private let ownText: OwnText
    private let subject: String?
    private let charsetHint: String?
    private let automation: Automation?
    private let limits: MailLimits
    private let knownBoards: [String]
    private let usual: Set<[UInt8]>

    init(_ collector: PartCollector, limits: MailLimits, knownBoards: [String], usual: Set<[UInt8]>) {
        header = collector.header
        findings = collector.findings
        text = MailText(collector.texts, places: collector.places, charsetHint: header.charsetHint)
        charsetHint = collector.charsetHint
        let subject = header.text("subject", hint: charsetHint)
        self.subject = subject
        ownText = OwnText(text.lines, isForward: SubjectPrefixes.saysForwarded(subject ?? ""))
        automation = Automation(header)
        self.limits = limits
        self.knownBoards = knownBoards
        self.usual = usual
    }

    /// The content; pictures that are left out are removed from the store.
    func content(discardingInto blobs: any BlobStore) -> MessageContent {
        var content = MessageContent(source: .mail, subject: subject, from: header.text("from", hint: charsetHint))
        content.recipients = recipients
        content.automated = automation?.reason
        content.wantsReply = automation == nil
        content.wishes = MessageGrammar.wishes(
            subject: subject, ownText: ownText.text, knownBoards: knownBoards)
        content.skipped = text.files.map { file in
            SkippedPart(
                .file, name: file.name, type: file.isHTML ? "text/html" : "text/plain", bytes: file.bytes.count,
                reason: "not a picture")
        }
        let links = itemLinks
        addPictures(to: &content, hasLinks: !links.isEmpty, blobs)
        add(links, to: &content)
        enforceItemLimit(on: &content, blobs)
        listLinks(in: &content)
        return content
    }

    private func addPictures(to content: inout MessageContent, hasLinks: Bool, _ blobs: any BlobStore) {
        var pictures: [PictureCandidate] = []
        for case .picture(let picture) in findings { pictures.append(picture) }
        let markup = text.markup.map { OwnText($0, isForward: true) } ?? ownText
        let habit = PictureHabit(sender: header.raw("from").flatMap { AddressList.addresses(in: $0).first } ?? "")
        let layout = pictures.filter(\.isLayout).map { habit.key(of: $0.bytes) }
        content.layoutPictures = Self.distinct(layout, upTo: PictureHabit.mostPictures)
        let rules = PictureRules(
            signaturePictures: markup.signaturePictures, hasLinks: hasLinks,
            usualPictures: usual.isEmpty
                ? [] : Set(pictures.filter { usual.contains(habit.key(of: $0.bytes)) }.map(\.bytes.sha256)))
        var verdicts = rules.verdicts(pictures)[...]
        for finding in findings {
            switch finding {
            case .skipped(let part): content.skipped.append(part)
            case .picture(let picture):
                let item = FoundItem(.image(picture.image))
                if let reason = verdicts.removeFirst() ?? automaticReply {
                    content.skipped.append(item.skipped(because: reason, isLoss: picture.fault != nil))
                    blobs.discard(picture.bytes)
                } else {
                    content.items.append(item)
                }
            }
        }
    }

    /// Pictures win over links: the only link of a mail with pictures is their source.
    private func add(_ links: [String], to content: inout MessageContent) {
        let items = links.map { FoundItem(.link(FoundLink(url: $0))) }
        if let reason = automaticReply {
            content.skipped += items.map { $0.skipped(because: reason) }
        } else if content.items.isEmpty {
            content.items = items
        } else if let only = links.first, links.count == 1 {
            content.wishes.source = only
        } else {
            content.skipped += items.map { $0.skipped(because: "the mail's pictures are pinned instead") }
        }
    }

    private func enforceItemLimit(on content: inout MessageContent, _ blobs: any BlobStore) {
        for item in content.items.dropFirst(limits.items) {
            content.skipped.append(item.skipped(because: "more than \(limits.items) in one mail", isLoss: true))
            if case .image(let image) = item.kind { blobs.discard(image.bytes) }
        }
        content.items = Array(content.items.prefix(limits.items))
    }

    /// Every link as written, for `explain`; a list that is cut says so.
    private func listLinks(in content: inout MessageContent) {
        let links = Self.distinct(text.lines.flatMap(\.writtenLinks), upTo: limits.links + 1)
        content.links = Array(links.prefix(limits.links))
        guard links.count > limits.links else { return }
        content.skipped.append(
            SkippedPart(
                .link, name: nil, reason: "more than \(limits.links) links; the rest is not listed", isLoss: true))
    }

    private var automaticReply: String? {
        guard case .reply(let reason) = automation else { return nil }
        return "an automatic mail (\(reason))"
    }

    /// The links that would be pinned: from the sender's words, else from what he passed on.
    private var itemLinks: [String] {
        let own = ownText.links(of: .own)
        let links = own.isEmpty ? ownText.links(of: .forwarded) : own
        return Self.distinct(links.map { PageLink.cleaned($0) }, upTo: limits.links)
    }

    /// Where the mail was sent, as the header has it: what the receiving server noted first.
    private var recipients: [String] {
        let fields = ["delivered-to", "x-original-to", "envelope-to", "x-delivered-to", "to", "cc", "bcc"]
        let addresses = fields.flatMap { header.all($0).flatMap { AddressList.addresses(in: $0) } }
        return Self.distinct(addresses, upTo: AddressList.mostAddresses)
    }

    private static func distinct<Value: Hashable>(_ values: [Value], upTo limit: Int) -> [Value] {
        var seen: Set<Value> = []
        return Array(values.filter { seen.insert($0).inserted }.prefix(limit))
    }
}

extension PictureCandidate {
    var image: FoundImage {
        FoundImage(name: label.name, type: type, bytes: bytes, isInline: label.isInline, nesting: label.nesting)
    }
}
