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
    /// Text that was not yet searched for links: outside of a link, or the label of one.
    private var unsearched = ""
    /// Open elements that may carry a mark.
    private var open: [(name: String, mark: Mark)] = []
    private var quotes = 0
    private var signatures = 0
    private var isInLink = false
    private var isPreformatted = false
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
        let text = String(decoding: HTMLEntities.decoded(bytes), as: UTF8.self)
        for scalar in text.unicodeScalars {
            if isPreformatted, scalar == "\n" {
                endLine()
            } else if scalar.properties.isWhitespace {
                add(" ", unless: line.text.isEmpty || line.text.hasSuffix(" "))
            } else if scalar != "\u{200B}", scalar != "\u{FEFF}", scalar != "\u{AD}" {
                add(scalar, unless: false)
            }
        }
    }

    private mutating func add(_ scalar: Unicode.Scalar, unless isSuperfluous: Bool) {
        if !isSuperfluous { line.text.unicodeScalars.append(scalar) }
        unsearched.unicodeScalars.append(scalar)
    }

    private mutating func begin(_ tag: HTMLTokenizer.Tag) {
        if Self.blocks.contains(tag.name) { endLine() }
        switch tag.name {
        case "script", "style", "title", "noscript", "template": tokens.skipContent(of: tag.name)
        case "br", "hr": endLine()
        case "td", "th": add(" ", unless: line.text.isEmpty || line.text.hasSuffix(" "))
        case "pre": isPreformatted = true
        case "a":
            search()
            isInLink = true
            if let link = Self.link(tag.attribute("href")) { line.add(link) }
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
        if Self.blocks.contains(name) { endLine() }
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
        unsearched = ""
    }

    private mutating func endLine() {
        search()
        line.isMarkedQuote = quotes > 0
        line.isMarkedSignature = signatures > 0
        while line.text.hasSuffix(" ") { line.text.removeLast() }
        // A run of empty lines says no more than one.
        let isEmpty = line.text.isEmpty && line.links.isEmpty && line.pictures.isEmpty
        if !isEmpty || lines.last?.text.isEmpty == false { lines.append(line) }
        line = TextLine(text: "")
    }

    /// An http(s) link without the line breaks that some programs put into it.
    private static func link(_ href: String?) -> String? {
        guard let href else { return nil }
        let link = String(href.filter { !$0.isNewline && $0 != "\t" }.drop { $0 == " " })
        let start = link.prefix(8).lowercased()
        let scheme = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
        guard scheme > 0, link.utf8.count > scheme else { return nil }
        var end = link[...]
        while end.last == " " { end = end.dropLast() }
        return String(end)
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

    private static let blocks: Set<String> = [
        "p", "div", "table", "tr", "ul", "ol", "li", "dl", "dt", "dd", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote",
        "pre", "center", "address", "article", "section", "header", "footer", "figure", "body", "html", "form",
        "fieldset",
    ]
}
