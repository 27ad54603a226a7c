internal import PinpostCore

/// What a message shows beside its own words and files: a message that was passed on, and what programs put into
/// blocks and attachments.
struct SlackShown {
    /// Of what was passed on, or of the first heading.
    private(set) var text: String?
    private(set) var files: [JSONTree] = []
    /// http(s), in order.
    private(set) var links: [String] = []
    private(set) var pictures: [String] = []
    /// Where the pictures of an attachment lead.
    private(set) var source: String?

    /// Slack allows 50 blocks and 100 attachments.
    private static let mostParts = 200
    private static let deepest = 8

    init(_ message: JSONTree) {
        add(blocks: message["blocks"])
        for attachment in message["attachments"]?.elements.prefix(Self.mostParts) ?? [] { add(attachment) }
        links = links.filter { !Self.isMessage($0) }.distinct
        pictures = pictures.distinct
    }

    /// Whether a link leads to a message, which nobody sees but the members of its channel.
    static func isMessage(_ link: String) -> Bool {
        guard SlackProvider.isSlack(link), let address = ServiceAddress(link) else { return false }
        return address.path.hasPrefix("/archives/")
    }

    private mutating func add(_ attachment: JSONTree) {
        files += attachment["files"]?.elements ?? []
        if attachment["is_share"]?.flag == true || attachment["is_msg_unfurl"]?.flag == true {
            return add(words: attachment["text"])
        }
        add(blocks: attachment["blocks"])
        text = text ?? attachment["title"]?.text.map { SlackText($0).text }
        let page = ["title_link", "from_url", "original_url"].lazy.compactMap { attachment[$0]?.text }.first
        if let picture = attachment["image_url"]?.text {
            pictures.append(picture)
            source = source ?? page
        } else if let page {
            links.append(page)
        }
    }

    private mutating func add(words: JSONTree?) {
        guard let words = words?.text.map(SlackText.init) else { return }
        links += words.links
        if !words.text.isEmpty { text = text ?? words.text }
    }

    // MARK: - Blocks

    private mutating func add(blocks: JSONTree?) {
        for block in blocks?.elements.prefix(Self.mostParts) ?? [] {
            switch block["type"]?.text {
            case "image": addPicture(block)
            case "section", "header":
                add(words: block["text"]?["text"])
                for field in block["fields"]?.elements.prefix(Self.mostParts) ?? [] { add(words: field["text"]) }
            case "rich_text": addLinks(of: block, depth: 0)
            default: break
            }
        }
    }

    private mutating func addPicture(_ block: JSONTree) {
        if let url = block["image_url"]?.text {
            pictures.append(url)
        } else if let file = block["slack_file"] {
            files.append(.object(of: ["id": file["id"], "url_private": file["url"]]))
        }
        text = text ?? block["title"]?["text"]?.text ?? block["alt_text"]?.text
    }

    /// Its words stand in the message's text as well.
    private mutating func addLinks(of element: JSONTree, depth: Int) {
        if element["type"]?.text == "link", let url = element["url"]?.text { links.append(url) }
        guard depth < Self.deepest else { return }
        for inner in element["elements"]?.elements.prefix(Self.mostParts) ?? [] {
            addLinks(of: inner, depth: depth + 1)
        }
    }
}
