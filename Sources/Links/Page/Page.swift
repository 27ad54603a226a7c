import PinpostCore

/// A page that was fetched: its elements, with the address they are relative to.
struct Page: Sendable {
    /// Where the page was found, after redirects.
    let address: WebAddress
    /// What references are relative to: the first `<base>`.
    let base: WebAddress
    let elements: [PageOutline.Element]
    /// `meta` contents by name, in order.
    let metadata: Metadata

    init(_ outline: PageOutline, at address: WebAddress) {
        self.address = address
        let base = outline.elements.first { $0.name == "base" && $0.attributes["href"] != nil }
        self.base = base?.attributes["href"].flatMap(address.resolving) ?? address
        elements = outline.elements
        metadata = Metadata(outline.elements)
    }

    func resolved(_ reference: String?) -> WebAddress? { reference.flatMap(base.resolving) }

    /// `link` elements with this word in `rel`.
    func links(_ rel: String) -> [PageOutline.Element] {
        elements.filter { element in
            element.name == "link"
                && element.attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace).contains(rel[...])
                    == true
        }
    }
}

/// What the `meta` elements say.
struct Metadata: Sendable {
    struct Entry: Sendable {
        /// In lower case.
        let name: String
        let content: String
    }

    let entries: [Entry]

    init(_ elements: [PageOutline.Element]) {
        entries = elements.filter { $0.name == "meta" }.flatMap { element -> [Entry] in
            let content = element.attributes["content"] ?? element.attributes["value"]
            guard let content, !content.folded.isEmpty else { return [] }
            let names = ["property", "name", "itemprop"].compactMap { element.attributes[$0]?.lowercased().folded }
            return names.flatMap { $0.split(separator: " ") }.map { Entry(name: String($0), content: content) }
        }
    }

    func all(_ name: String) -> [String] { entries.filter { $0.name == name }.map(\.content) }

    /// The first of these names that says something.
    func first(_ names: String...) -> String? {
        for name in names { if let content = all(name).first { return content.folded } }
        return nil
    }
}

extension String {
    /// White space around is gone and inside is one blank; control characters count as white space.
    var folded: String {
        split { $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F } }
            .joined(separator: " ")
    }
}
