/// Tells the sender's own words from quotes, forwarded mail, signatures and the footers of mail programs.
struct OwnText {
    enum Kind: Sendable, Hashable {
        case own, quote, forwardHeader, forwarded, signature, footer
    }

    /// Nobody writes more lines of his own; those behind are what the last one is, unless they are quoted.
    private static let mostLines = 5_000
    /// What of the sender's words is read for commands and a description, in bytes.
    private static let longestText = 32 << 10

    /// The lines with what they are, in order.
    private(set) var lines: [(line: TextLine, kind: Kind)] = []

    /// Sorts the lines; where `isForward`, what looks like a quote is passed on.
    init(_ source: [TextLine], isForward: Bool) {
        var kind = Kind.own
        var position = 0
        while position < source.count {
            let line = source[position]
            if position < Self.mostLines,
                let change = Self.change(at: position, of: source, isForward: isForward, in: kind)
            {
                kind = change.kind
                for _ in 0..<min(change.length, source.count - position) {
                    lines.append((source[position], change.kindOfMark))
                    position += 1
                }
                continue
            }
            lines.append((line, Self.kind(of: line, in: kind, isKnown: position >= Self.mostLines)))
            position += 1
        }
        dropAttributions()
    }

    /// The beginning of the sender's words, without the marks of pictures, as lines.
    var text: String {
        var text: [String] = []
        var left = Self.longestText
        for (line, kind) in lines where kind == .own && left > 0 {
            left -= line.text.utf8.count + 1
            // What goes beyond is not read, and a line of such a length is no command.
            guard left >= 0 else { break }
            let words = Phrases.withoutPictureMarks(line.text)
            // A line of nothing but marks leaves no gap.
            if words.isEmpty, !line.isBlank { continue }
            text.append(words)
        }
        return text.joined(separator: "\n")
    }

    func links(of kind: Kind) -> [String] {
        lines.filter { $0.kind == kind }.flatMap(\.line.links)
    }

    /// Pictures that the text shows where no pin would come from: in signatures, and below the words before the name.
    var signaturePictures: Set<String> {
        guard lines.contains(where: { !$0.line.pictures.isEmpty }) else { return [] }
        var pictures: Set<String> = []
        var isBelowClosing = false
        for (line, kind) in lines {
            switch kind {
            case .own, .forwarded:
                isBelowClosing = isBelowClosing || !line.isBlank && Phrases.isClosing(LineHead(line.text))
                if isBelowClosing { pictures.formUnion(line.pictures) }
            case .signature: pictures.formUnion(line.pictures)
            case .quote, .forwardHeader: isBelowClosing = false
            case .footer: break
            }
        }
        return pictures
    }

    private struct Change {
        /// What the following lines are.
        let kind: Kind
        /// How many lines make the mark.
        let length: Int
        let kindOfMark: Kind
    }

    private static func kind(of line: TextLine, in context: Kind, isKnown: Bool) -> Kind {
        if line.isMarkedSignature { return .signature }
        if isQuoted(line) { return .quote }
        guard !isKnown, context == .own || context == .forwarded, !line.isBlank else { return context }
        let head = LineHead(line.text)
        if Phrases.isFooter(head) { return .footer }
        return !line.links.isEmpty && Phrases.isSubscriptionLine(head) ? .footer : context
    }

    private static func isQuoted(_ line: TextLine) -> Bool {
        let start = line.text.utf8.prefix(2)
        return line.isMarkedQuote || start.first == UInt8(ascii: ">") || start.elementsEqual(" >".utf8)
    }

    /// A line from which on everything is something else.
    private static func change(
        at position: Int, of source: [TextLine], isForward: Bool, in context: Kind
    ) -> Change? {
        let line = source[position]
        guard !isQuoted(line), !line.isBlank, context != .quote, context != .footer else { return nil }
        let head = LineHead(line.text)
        let passedOn: (Int) -> Change = { length in
            isForward
                ? Change(kind: .forwarded, length: length, kindOfMark: .forwardHeader)
                : Change(kind: .quote, length: length, kindOfMark: .quote)
        }
        if Phrases.isForwardMark(head) {
            let length = 1 + headerLength(at: position + 1, of: source)
            return Change(kind: .forwarded, length: length, kindOfMark: .forwardHeader)
        }
        if Phrases.isReplyMark(head) { return passedOn(1 + headerLength(at: position + 1, of: source)) }
        let header = headerLength(at: position, of: source)
        if header >= 3 { return passedOn(header) }
        if let length = Phrases.attributionLength(source[position...].prefix(3).map(\.text)) {
            return Change(kind: .quote, length: length, kindOfMark: .quote)
        }
        if context != .signature, Phrases.isSignatureMark(head) {
            return Change(kind: .signature, length: 1, kindOfMark: .signature)
        }
        return Phrases.isListFooterMark(head) ? Change(kind: .footer, length: 1, kindOfMark: .footer) : nil
    }

    /// How many lines from here on are a copied header (`From: …`, `Sent: …`), with the blank lines between them.
    private static func headerLength(at position: Int, of source: [TextLine]) -> Int {
        var length = 0
        var fields = 0
        for offset in 0..<12 where position + offset < source.count {
            let text = source[position + offset].text
            if Phrases.isHeaderField(text) {
                fields += 1
                length = offset + 1
            } else if fields == 0, !source[position + offset].isBlank {
                break
            } else if fields > 0, source[position + offset].isBlank {
                break
            }
        }
        return fields >= 2 ? length : 0
    }

    /// An attribution in words that we do not know still ends with a colon right before a quote.
    private mutating func dropAttributions() {
        // The line with words before this one, until it was judged: each is looked at once, however many blanks follow.
        var candidate: Int?
        for position in lines.indices {
            if lines[position].kind == .quote, let before = candidate {
                candidate = nil
                if isAttribution(lines[before]) { lines[before].kind = .quote }
            }
            if !lines[position].line.isBlank { candidate = position }
        }
    }

    private func isAttribution(_ entry: (line: TextLine, kind: Kind)) -> Bool {
        entry.kind == .own && entry.line.text.hasSuffix(":") && entry.line.text.contains(where: \.isNumber)
    }
}
