/// The links that a piece of HTML shows as such, for mails that have no other text.
enum HTMLLinks {
    /// A text has more links than anybody wants pinned.
    private static let mostLinks = 1_000

    /// What the `href` of each `a` says, where that is http or https; in order, each once.
    static func links(in html: String) -> [String] {
        var links: [String] = []
        var rest = html.utf8[...]
        while links.count < mostLinks, let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[start...].dropFirst()
            guard let name = rest.first, name | 0x20 == UInt8(ascii: "a"), rest.dropFirst().first?.isTagSpace == true
            else { continue }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { break }
            if let value = href(rest[..<end].dropFirst()), let link = WebLink.checked(HTMLText.plain(value)) {
                links.append(link)
            }
            rest = rest[end...]
        }
        return links.distinct
    }

    /// The value of the attribute, as written.
    private static func href(_ attributes: some Collection<UInt8>) -> String? {
        let bytes = Array(attributes)
        let name = Array("href".utf8)
        guard
            let start = bytes.indices.dropFirst().first(where: { index in
                bytes[index - 1].isTagSpace && bytes[index...].prefix(4).map { $0 | 0x20 } == name
            })
        else { return nil }
        var rest = bytes[(start + 4)...].drop(while: \.isTagSpace)
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        rest = rest.drop(while: \.isTagSpace)
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self)
        }
        return String(decoding: rest.prefix { !$0.isTagSpace }, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isTagSpace: Bool { isJSONSpace || self == 0x0C }
}
