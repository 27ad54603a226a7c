internal import PinpostCore

/// One line of a mail's text, from plain text or HTML alike.
struct TextLine: Sendable, Hashable {
    var text: String
    /// The http(s) links that begin on this line, as written.
    var links: [String] = []
    /// The same with the line breaks in them, and with those that are only the label of another link (HTML).
    var writtenLinks: [String] = []
    /// The content ids of the pictures shown on it (HTML).
    var pictures: [String] = []
    /// The markup says that it is quoted or belongs to a signature (HTML).
    var isMarkedQuote = false
    var isMarkedSignature = false

    var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

    /// Nothing at all is on it.
    var isEmpty: Bool { text.isEmpty && writtenLinks.isEmpty && pictures.isEmpty }

    mutating func add(_ link: String, asLabel isLabel: Bool = false) {
        if !isLabel { links.append(link) }
        writtenLinks.append(link)
    }

    mutating func add(_ link: String, writtenAs written: String) {
        links.append(link)
        writtenLinks.append(written)
    }

    /// Cuts plain text at its LFs, with the links on each line.
    static func lines(ofPlain text: String) -> [TextLine] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { TextLine(text: String(Substring($0))) }
        for link in LinkFinder.links(in: text) where link.line < lines.count {
            lines[link.line].add(link.url)
        }
        return lines
    }
}
