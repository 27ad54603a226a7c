internal import PinpostCore

/// The text of a mail: which of its parts is read, as lines.
struct MailText {
    /// The plain text, or the HTML where there is no plain text.
    let lines: [TextLine]
    /// The HTML beside plain text, which shows the pictures; nil where `lines` are that already.
    let markup: [TextLine]?
    /// Files that happen to be text, beside the mail's own.
    let files: [PartCollector.TextPart]

    init(_ parts: [PartCollector.TextPart], places: [PartCollector.PlaceOfPicture] = [], charsetHint: String?) {
        // The outermost message speaks for the sender; a mail that is nothing but another message has only that one.
        let nesting = parts.map(\.nesting).min() ?? 0
        let outer = parts.filter { $0.nesting == nesting }
        let unnamed = outer.filter { $0.name == nil }
        let own = unnamed.isEmpty ? outer : unnamed
        files = unnamed.isEmpty ? [] : parts.filter { $0.name != nil }
        let plain = own.filter { !$0.isHTML }.map {
            Section($0, charsetHint: charsetHint) { TextLine.lines(ofPlain: $0) }
        }
        .filter { !$0.lines.allSatisfy(\.isBlank) }
        let pages = own.filter(\.isHTML).map { Section($0, charsetHint: charsetHint) { HTMLText.lines(of: $0) } }
        let shown = places.filter { $0.nesting == nesting }
        let markup = Self.joined(pages, with: shown, gap: [])
        lines = plain.isEmpty ? markup : Self.joined(plain, with: shown, gap: [TextLine(text: "")])
        self.markup = plain.isEmpty || pages.isEmpty ? nil : markup
    }

    /// The lines of one part.
    private struct Section {
        let number: Int
        let lines: [TextLine]

        init(_ part: PartCollector.TextPart, charsetHint: String?, lines: (String) -> [TextLine]) {
            number = part.number
            self.lines = lines(MailText.text(of: part, charsetHint: charsetHint))
        }
    }

    /// All lines in order, with a line for each picture between the parts.
    private static func joined(
        _ sections: [Section], with places: [PartCollector.PlaceOfPicture], gap: [TextLine]
    ) -> [TextLine] {
        // Behind all texts stand attachments of any kind; a program that puts pictures between them means their places.
        let last = sections.last?.number ?? 0
        var places = places.contains { $0.textsBefore <= last } ? places[...] : []
        var lines: [TextLine] = []
        for (index, section) in sections.enumerated() {
            while let place = places.first, place.textsBefore <= section.number {
                lines.append(TextLine(text: "", pictures: [place.mark]))
                places.removeFirst()
            }
            lines += (index > 0 ? gap : []) + section.lines
        }
        return lines + places.map { TextLine(text: "", pictures: [$0.mark]) }
    }

    private static func text(of part: PartCollector.TextPart, charsetHint: String?) -> String {
        let text = Charset.decode(part.bytes, label: charset(of: part), hint: charsetHint)
        return part.isHTML ? withoutNULs(text) : FlowedText.unfolded(withLineFeeds(text), type: part.type)
    }

    /// What the part says of its charset, in its header or in the page.
    static func charset(of part: PartCollector.TextPart) -> String? {
        part.type.parameter("charset") ?? (part.isHTML ? charsetOfPage(part.bytes) : nil)
    }

    /// `charset=` in the first bytes of a page.
    private static func charsetOfPage(_ bytes: [UInt8]) -> String? {
        let head = String(decoding: bytes.prefix(1_024), as: UTF8.self).lowercased()
        guard let mark = head.firstRange(of: "charset=") else { return nil }
        let label = head[mark.upperBound...].drop { $0 == "\"" || $0 == "'" }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:.".contains($0)) }
        return label.isEmpty ? nil : String(label)
    }

    private static func withoutNULs(_ text: String) -> String {
        text.utf8.contains(0) ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : text
    }

    /// CRLF and CR become LF; NULs go.
    private static func withLineFeeds(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A {
                if byte == 0x0D || previous != 0x0D { bytes.append(0x0A) }
            } else if byte != 0 {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
