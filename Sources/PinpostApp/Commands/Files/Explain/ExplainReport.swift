import Administration
import PinpostCore

/// What `explain --json` prints: what would be pinned, and why the rest would not.
struct ExplainReport: Encodable, Sendable {
    let kind: String
    @Nullable var subject: String?
    @Nullable var from: String?
    let recipients: [String]
    @Nullable var automated: String?
    @Nullable var description: String?
    let tags: [String]
    @Nullable var board: String?
    let isPrivate: Bool
    let items: [ExplainedItem]
    let skipped: [MessageReport.Skipped]
    let links: [String]

    enum CodingKeys: String, CodingKey {
        case kind, subject, from, recipients, automated, description, tags, board
        case isPrivate = "private"
        case items, skipped, links
    }

    init(_ content: MessageContent, boardOfRecipient: String?) {
        kind = content.source.rawValue
        recipients = content.recipients
        tags = content.wishes.tags
        isPrivate = content.wishes.isPrivate ?? false
        items = content.items.map(ExplainedItem.init)
        skipped = content.skipped.map(MessageReport.Skipped.init)
        links = content.links
        _subject = Nullable(wrappedValue: content.subject)
        _from = Nullable(wrappedValue: content.from)
        _automated = Nullable(wrappedValue: content.automated)
        _description = Nullable(wrappedValue: content.wishes.description ?? content.items.first?.defaultDescription)
        _board = Nullable(wrappedValue: content.wishes.board ?? boardOfRecipient)
    }
}

/// One item that would become a pin.
enum ExplainedItem: Encodable, Sendable {
    case image(FoundImage)
    case link(FoundLink)
    case media(MediaReference)

    init(_ item: FoundItem) {
        switch item.kind {
        case .image(let image): self = .image(image)
        case .link(let link): self = .link(link)
        case .media(let media): self = .media(media)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case kind, name, type, bytes, sha256, inline, nested, url
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .image(let image):
            try container.encode("image", forKey: .kind)
            try container.encode(image.name, forKey: .name)
            try container.encode(image.type.mimeType, forKey: .type)
            try container.encode(image.bytes.count, forKey: .bytes)
            try container.encode(image.bytes.sha256.hexadecimal, forKey: .sha256)
            try container.encode(image.isInline, forKey: .inline)
            try container.encode(image.nesting, forKey: .nested)
        case .link(let link):
            try container.encode("link", forKey: .kind)
            try container.encode(link.url, forKey: .url)
        case .media(let media):
            try container.encode("image", forKey: .kind)
            try container.encode(media.name, forKey: .name)
            try container.encode(media.type, forKey: .type)
            try container.encode(media.count, forKey: .bytes)
        }
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        reduce(into: "") { $0 += ($1 < 16 ? "0" : "") + String($1, radix: 16) }
    }
}

/// The same for people.
enum ExplainText {
    static func text(_ report: ExplainReport) -> String {
        var rows = [
            ["kind", report.kind], ["subject", report.subject ?? "-"], ["from", report.from ?? "-"],
            ["to", report.recipients.isEmpty ? "-" : report.recipients.joined(separator: ", ")],
            ["description", report.description ?? "-"],
            ["tags", report.tags.isEmpty ? "-" : report.tags.joined(separator: ", ")],
            ["board", report.board ?? "the default"], ["private", report.isPrivate ? "yes" : "no"],
        ]
        if let automated = report.automated { rows.append(["machine-made", automated]) }
        for item in report.items {
            switch item {
            case .image(let image):
                rows.append([
                    "picture", "\(image.name ?? "without name")  (\(image.type.mimeType), \(image.bytes.count) bytes)",
                ])
            case .link(let link): rows.append(["link", link.url])
            case .media(let media): rows.append(["picture", "\(media.name ?? "without name")  (at the provider)"])
            }
        }
        for part in report.skipped {
            rows.append(["left out", "\(part.url ?? part.name ?? part.kind.rawValue): \(part.reason)"])
        }
        return TextTable(rows).text + (report.items.isEmpty ? "Nothing would be pinned.\n" : "")
    }
}
