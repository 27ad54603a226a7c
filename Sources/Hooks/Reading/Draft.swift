internal import PinpostCore

/// The fields of one object of a payload, before it is decided what they become.
struct Draft {
    var links: [String] = []
    var imageLinks: [String] = []
    var pictures: [FoundImage] = []
    /// What still lies with the provider, in order.
    var media: [MediaReference] = []
    var skipped: [SkippedPart] = []
    /// Pictures that are pinned already: links beside them count as beside any others.
    var hasEarlyPictures = false
    var description: String?
    var title: String?
    var text: String?
    var source: String?
    var click: String?
    var board: String?
    var tags: [String] = []
    var isPrivate: Bool?
    var isAgain: Bool?
    var fileName: String?

    /// Sets a text field; empty text is no text.
    mutating func set(_ field: Field, to value: String) throws(HookError) {
        let value = value.trimmed
        guard !value.isEmpty else { return }
        switch field {
        case .url: links.append(value)
        case .imageURL, .image: imageLinks.append(value)
        case .description: description = value
        case .title: title = value
        case .text: text = value
        case .line: text = [text, value].compactMap { $0 }.joined(separator: "\n")
        case .source: source = value
        case .click: click = value
        case .board: board = value
        case .tags: tags += try Self.tags(in: value)
        case .isPrivate: isPrivate = try Self.flag(value, of: "private")
        case .isAgain: isAgain = try Self.flag(value, of: "again")
        case .fileName: fileName = FileName.clean(value)
        }
    }

    mutating func add(_ part: FoundPart) {
        switch part {
        case .nothing: break
        case .picture(let image): pictures.append(image)
        case .link(let link): imageLinks.append(link)
        case .skipped(let part): skipped.append(part)
        }
    }

    /// Leaves out a picture that came alone before its message, and was read then.
    mutating func leaveEarly(name: String?, type: String?) {
        hasEarlyPictures = true
        let reason = "it came before its message, and was taken then"
        skipped.append(SkippedPart(.file, name: name, type: type, reason: reason))
    }

    /// Takes over what is not set here.
    mutating func fill(from other: Draft) {
        links += other.links
        imageLinks += other.imageLinks
        media += other.media
        hasEarlyPictures = hasEarlyPictures || other.hasEarlyPictures
        description = description ?? other.description
        title = title ?? other.title
        text = text ?? other.text
        source = source ?? other.source
        click = click ?? other.click
        board = board ?? other.board
        if tags.isEmpty { tags = other.tags }
        isPrivate = isPrivate ?? other.isPrivate
        isAgain = isAgain ?? other.isAgain
        fileName = fileName ?? other.fileName
    }

    private static func tags(in list: String) throws(HookError) -> [String] {
        // A list that a phone writes into a text has a line for each.
        let tags = list.split { $0 == "," || $0.isNewline }.map { $0.drop { $0.isWhitespace || $0 == "#" }.trimmed }
        guard tags.allSatisfy({ $0.count <= longestTag }) else {
            throw HookError(.malformed, "A tag is over \(longestTag) characters.")
        }
        return tags.filter { !$0.isEmpty }
    }

    /// Pinry on PostgreSQL takes no longer one.
    private static let longestTag = 100

    private static func flag(_ value: String, of name: String) throws(HookError) -> Bool {
        switch value.lowercased() {
        case "true", "1", "yes", "on": true
        case "false", "0", "no", "off": false
        default: throw HookError(.malformed, "`\(name)` has to be true or false.")
        }
    }
}

extension Draft {
    /// What query and header gave.
    init(envelope: Envelope) throws(HookError) {
        self.init()
        for (name, value) in envelope.fields.sorted(by: { $0.key < $1.key }) {
            if let field = Field(named: name) { try set(field, to: value) }
        }
    }

    /// A whole body of text.
    init(plainText: String) throws(HookError) {
        self.init()
        try set(.text, to: plainText)
    }
}

/// What a payload holds: one object, and those in its `items`.
struct Payload {
    var main = Draft()
    var items: [Draft] = []

    init() {}

    init(_ main: Draft) { self.main = main }
}
