internal import PinpostCore

/// What is said about a message, for people: which pins it became, what was left out, what failed.
struct ReplyText {
    struct Line {
        let name: String
        /// The page of the pin.
        var link: String?
        var remark: String?
    }

    struct Section {
        let title: String
        let lines: [Line]
        /// How many more there are than are listed.
        let more: Int
    }

    let sections: [Section]
    /// About the whole message.
    let note: String?
    let tenant: String

    /// More things of one kind are counted, not listed.
    private static let limit = 100
    private static let nameLimit = 200

    init(_ reply: OwedReply, redaction: TokenRedaction) {
        func line(_ item: Item) -> Line {
            Line(
                name: Self.shown(item.name, redaction), link: item.facts.pin.map(reply.server.page),
                remark: item.reason.map { Self.shown($0, redaction) })
        }
        let done = reply.items.filter { $0.state == .done }
        let pinned = done.filter { $0.facts.pin != nil }
        let others = done.filter { $0.facts.pin == nil } + reply.items.filter { $0.state == .cancelled }
        let skipped = reply.message.skipped.map { part in
            Line(
                name: Self.shown(part.name ?? part.type ?? part.kind.rawValue, redaction),
                remark: Self.shown(part.reason, redaction))
        }
        sections = [
            Self.section(Self.count(pinned.count), pinned.map(line)),
            Self.section("Not pinned:", reply.items.filter { $0.state == .parked }.map(line)),
            Self.section("Not yet pinned; this is being tried again:", reply.pending.map(line)),
            Self.section("Left out:", others.map(line) + skipped),
        ].compactMap(\.self)
        note = reply.message.reason.map { Self.shown($0, redaction) }
        tenant = reply.tenant.slug
    }

    private static func section(_ title: String, _ lines: [Line]) -> Section? {
        guard !lines.isEmpty else { return nil }
        return Section(title: title, lines: Array(lines.prefix(limit)), more: max(lines.count - limit, 0))
    }

    private static func count(_ pins: Int) -> String { pins == 1 ? "This was pinned:" : "These \(pins) were pinned:" }

    /// One line, no longer than people read, without our tokens and without what is for the admin.
    private static func shown(_ text: String, _ redaction: TokenRedaction) -> String {
        let line = redaction.redact(SenderWords.of(text)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let plain = String(line.unicodeScalars.filter { $0.properties.generalCategory != .control })
        return plain.count > nameLimit ? plain.prefix(nameLimit) + "…" : plain
    }

    static let nothing = "There was nothing to pin in your mail."

    var closing: String { "Pinpost, for the Pinry of \(tenant). A program wrote this; nobody reads answers to it." }
}

extension Item {
    fileprivate var name: String {
        switch kind {
        case .image(_, let name): name ?? "picture \(sequence + 1)"
        case .media(let media): media.name ?? "picture \(sequence + 1)"
        case .link(let link): link.url
        }
    }
}

extension ReplyText {
    var plain: String {
        var text = ""
        if sections.isEmpty { text += Self.nothing + "\n\n" }
        for section in sections {
            text += section.title + "\n\n"
            for line in section.lines {
                text += "  - \(line.name)\(line.remark.map { ": \($0)" } ?? "")\n"
                if let link = line.link { text += "    \(link)\n" }
            }
            if section.more > 0 { text += "  - and \(section.more) more\n" }
            text += "\n"
        }
        if let note { text += note + "\n\n" }
        return text + "-- \n\(closing)\n"
    }

    /// Links lead to pins alone, never to what a mail brought.
    var html: String {
        var body = sections.isEmpty ? "<p>\(Self.nothing)</p>\n" : ""
        for section in sections {
            body += "<p>\(Self.escaped(section.title))</p>\n<ul>\n"
            for line in section.lines {
                let name = Self.escaped(line.name)
                let linked = line.link.map { "<a href=\"\(Self.escaped($0))\">\(name)</a>" } ?? name
                body += "<li>\(linked)\(line.remark.map { ": \(Self.escaped($0))" } ?? "")</li>\n"
            }
            if section.more > 0 { body += "<li>and \(section.more) more</li>\n" }
            body += "</ul>\n"
        }
        if let note { body += "<p>\(Self.escaped(note))</p>\n" }
        return """
            <!DOCTYPE html>
            <html><head><meta charset="utf-8"><title>Pinpost</title></head><body>
            \(body)<p style="color:#666">\(Self.escaped(closing))</p>
            </body></html>

            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }
}
