/// Tells the sender's own words from quotes, forwarded mail, signatures and the footers of mail programs.
struct OwnText {
    enum Kind: Sendable, Hashable {
        case own, quote, forwardHeader, forwarded, signature, footer
    }

    /// The lines with what they are, in order.
    private(set) var lines: [(line: TextLine, kind: Kind)] = []

    /// - Parameter isForward: The subject says that the mail is forwarded, so that what looks like a quote is passed on.
    init(_ source: [TextLine], isForward: Bool) {
        var kind = Kind.own
        var position = 0
        while position < source.count {
            let line = source[position]
            if let change = Self.change(at: position, of: source, isForward: isForward, in: kind) {
                kind = change.kind
                for _ in 0..<min(change.length, source.count - position) {
                    lines.append((source[position], change.kindOfMark))
                    position += 1
                }
                continue
            }
            lines.append((line, Self.kind(of: line, in: kind)))
            position += 1
        }
        dropAttributions()
    }

    /// The sender's words, without the marks of pictures, as lines.
    var text: String {
        var text: [String] = []
        for (line, kind) in lines where kind == .own {
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

    /// Pictures that the text shows only where no pin would come from: signatures.
    var signaturePictures: Set<String> { Set(lines.filter { $0.kind == .signature }.flatMap(\.line.pictures)) }

    private struct Change {
        /// What the following lines are.
        let kind: Kind
        /// How many lines make the mark.
        let length: Int
        let kindOfMark: Kind
    }

    private static func kind(of line: TextLine, in context: Kind) -> Kind {
        if line.isMarkedSignature { return .signature }
        if isQuoted(line) { return .quote }
        if context == .own || context == .forwarded, Phrases.isFooter(line.text) { return .footer }
        return context
    }

    private static func isQuoted(_ line: TextLine) -> Bool {
        line.isMarkedQuote || line.text.hasPrefix(">") || line.text.hasPrefix(" >")
    }

    /// A line from which on everything is something else.
    private static func change(
        at position: Int, of source: [TextLine], isForward: Bool, in context: Kind
    ) -> Change? {
        let line = source[position]
        guard !isQuoted(line), context != .quote, context != .footer else { return nil }
        if Phrases.isForwardMark(line.text) {
            return Change(
                kind: .forwarded, length: 1 + headerLength(at: position + 1, of: source), kindOfMark: .forwardHeader)
        }
        if Phrases.isReplyMark(line.text) {
            let length = 1 + headerLength(at: position + 1, of: source)
            return isForward
                ? Change(kind: .forwarded, length: length, kindOfMark: .forwardHeader)
                : Change(kind: .quote, length: length, kindOfMark: .quote)
        }
        let header = headerLength(at: position, of: source)
        if header >= 3 {
            return isForward
                ? Change(kind: .forwarded, length: header, kindOfMark: .forwardHeader)
                : Change(kind: .quote, length: header, kindOfMark: .quote)
        }
        if let length = Phrases.attributionLength(source[position...].prefix(3).map(\.text)) {
            return Change(kind: .quote, length: length, kindOfMark: .quote)
        }
        if context != .signature, Phrases.isSignatureMark(line.text) {
            return Change(kind: .signature, length: 1, kindOfMark: .signature)
        }
        if Phrases.isListFooterMark(line.text) { return Change(kind: .footer, length: 1, kindOfMark: .footer) }
        return nil
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
        for position in lines.indices.dropFirst() where lines[position].kind == .quote {
            var before = position - 1
            while before > 0, lines[before].line.isBlank { before -= 1 }
            guard lines[before].kind == .own, lines[before].line.text.hasSuffix(":"),
                lines[before].line.text.contains(where: \.isNumber)
            else { continue }
            lines[before].kind = .quote
        }
    }
}
