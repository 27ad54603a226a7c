internal import PinpostCore

/// Turns HTML into lines of text with their links and pictures.
///
/// Bounded and without recursion, so that it may run inside the service; a real HTML parser in a decoder process can
/// take its place behind the same function.
struct HTMLText {
    private enum Mark { case none, quote, signature }

    private var tokens: HTMLTokenizer
    private var lines: [TextLine] = []
    private var line = TextLine(text: "")
    /// The text of the line so far.
    private var words: [UInt8] = []
    /// Text that was not yet searched for links: outside of a link, or the label of one.
    private var unsearched: [UInt8] = []
    /// Open elements that may carry a mark.
    private var open: [(name: String, mark: Mark)] = []
    private var quotes = 0
    private var signatures = 0
    private var isInLink = false
    private var isPreformatted = false
    /// An empty line is due before the next one.
    private var isGapDue = false
    private static let deepestNesting = 500

    /// The lines of a page; at most 1 MiB is expected.
    static func lines(of html: String) -> [TextLine] {
        var reader = HTMLText(tokens: HTMLTokenizer(Array(html.utf8)))
        while let token = reader.tokens.next() {
            switch token {
            case .text(let bytes): reader.text(bytes)
            case .open(let tag): reader.begin(tag)
            case .close(let name): reader.end(name)
            }
        }
        reader.endLine()
        return reader.lines
    }

    private init(tokens: HTMLTokenizer) { self.tokens = tokens }

    private mutating func text(_ bytes: ArraySlice<UInt8>) {
        var rest = HTMLEntities.decoded(bytes)[...]
        while let byte = rest.popFirst() {
            if isPreformatted, byte == UInt8(ascii: "\n") {
                endLine()
            } else if byte <= 0x20 {
                addBlank()
            } else if byte == 0xC2, rest.first == 0xA0 {  // A no-break space.
                rest = rest.dropFirst()
                addBlank()
            } else if byte == 0xE2, rest.starts(with: [0x80, 0x8B]) {  // A zero-width space.
                rest = rest.dropFirst(2)
            } else if byte == 0xC2, rest.first == 0xAD {  // A soft hyphen.
                rest = rest.dropFirst()
            } else {
                words.append(byte)
                unsearched.append(byte)
            }
        }
    }

    private mutating func addBlank() {
        if let last = words.last, last != UInt8(ascii: " ") { words.append(UInt8(ascii: " ")) }
        unsearched.append(UInt8(ascii: " "))
    }

    private mutating func begin(_ tag: HTMLTokenizer.Tag) {
        endLine(at: tag.name)
        switch tag.name {
        case "script", "style", "title", "noscript", "template": tokens.skipContent(of: tag.name)
        case "br", "hr":
            if line.isEmpty, words.isEmpty { isGapDue = true }
            endLine()
        case "td", "th": addBlank()
        case "pre": isPreformatted = true
        case "a":
            search()
            isInLink = true
            if let written = tag.attribute("href").map(Self.trimmed), let link = Self.link(written) {
                line.add(link, writtenAs: written)
            }
        case "img", "v:imagedata":
            if let source = tag.attribute("src"), source.prefix(4).lowercased() == "cid:" {
                line.pictures.append(String(source.dropFirst(4)))
            }
        default: break
        }
        push(tag)
    }

    private mutating func push(_ tag: HTMLTokenizer.Tag) {
        guard ["div", "blockquote", "span", "table", "p", "td"].contains(tag.name), open.count < Self.deepestNesting
        else { return }
        let mark = Self.mark(of: tag)
        if mark == .quote { quotes += 1 }
        if mark == .signature { signatures += 1 }
        open.append((tag.name, mark))
    }

    private mutating func end(_ name: String) {
        endLine(at: name)
        switch name {
        case "a":
            search()
            isInLink = false
        case "pre": isPreformatted = false
        default: break
        }
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        for element in open[place...] {
            if element.mark == .quote { quotes -= 1 }
            if element.mark == .signature { signatures -= 1 }
        }
        open.removeSubrange(place...)
    }

    private mutating func search() {
        for link in LinkFinder.links(in: unsearched) { line.add(link.url, asLabel: isInLink) }
        unsearched.removeAll(keepingCapacity: true)
    }

    private mutating func endLine(at element: String) {
        guard Self.blocks.contains(element) else { return }
        endLine()
        if Self.paragraphs.contains(element) { isGapDue = true }
    }

    private mutating func endLine() {
        search()
        if words.last == UInt8(ascii: " ") { words.removeLast() }
        line.text = String(decoding: words, as: UTF8.self)
        words.removeAll(keepingCapacity: true)
        defer { line = TextLine(text: "") }
        guard !line.isEmpty else { return }
        if isGapDue, !lines.isEmpty { lines.append(TextLine(text: "")) }
        isGapDue = false
        line.isMarkedQuote = quotes > 0
        line.isMarkedSignature = signatures > 0
        lines.append(line)
    }

    /// An http(s) link without the line breaks that some programs put into it.
    private static func link(_ href: String) -> String? {
        let link = href.filter { !$0.isNewline && $0 != "\t" }
        let start = link.prefix(8).lowercased()
        let scheme = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
        return scheme > 0 && link.utf8.count > scheme ? link : nil
    }

    private static func trimmed(_ text: String) -> String {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace ?? false { rest = rest.dropLast() }
        return String(rest)
    }

    private static func mark(of tag: HTMLTokenizer.Tag) -> Mark {
        if tag.name == "blockquote" { return .quote }
        let names = [tag.attribute("class"), tag.attribute("id")].compactMap { $0?.lowercased() }
        if names.contains(where: { $0.contains("yahoo_quoted") || $0.contains("moz-cite-prefix") }) { return .quote }
        let isSignature = names.contains { name in
            [
                "gmail_signature", "moz-signature", "applemailsignature", "ms-outlook-mobile-signature",
                "protonmail_signature",
            ]
            .contains { name.contains($0) } || name == "signature"
        }
        return isSignature ? .signature : .none
    }

    private static let paragraphs: Set<String> = [
        "p", "blockquote", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    private static let blocks: Set<String> = [
        "p", "div", "table", "tr", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote",
        "pre", "center", "address", "article", "section", "header", "footer", "figure", "body", "html", "form",
        "fieldset",
    ]
}
