/// One element of a page that may matter for its picture, title or description.
///
/// A list of them, in document order, is what the fast decoder makes of a page; it chooses nothing.
public struct OutlineElement: Sendable, Hashable {
    /// Bounds of one list; what lies beyond them is left out.
    public enum Limit {
        public static let elements = 3_000
        public static let attributes = 32
        /// UTF-8 bytes of one attribute: a long `srcset`.
        public static let value = 8 << 10
        /// UTF-8 bytes of one text: JSON-LD of a shop.
        public static let text = 256 << 10
        /// UTF-8 bytes of the whole list.
        public static let total = 2 << 20
    }

    /// In which parts of the page it stands.
    public struct Place: OptionSet, Sendable, Hashable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let article = Place(rawValue: 1)
        public static let main = Place(rawValue: 2)
        public static let aside = Place(rawValue: 4)
        public static let nav = Place(rawValue: 8)
        public static let header = Place(rawValue: 16)
        public static let footer = Place(rawValue: 32)
        public static let noscript = Place(rawValue: 64)
        public static let figure = Place(rawValue: 128)
        public static let picture = Place(rawValue: 256)
        public static let button = Place(rawValue: 512)
    }

    /// In lower case.
    public let name: String
    /// Names in lower case, entities resolved; only those that matter for this kind of element.
    public let attributes: [String: String]
    /// What stands inside a title, a heading or a script of linked data.
    public var text: String
    public let place: Place
    /// `class` and `id` of the elements around, the nearest first, in lower case.
    public let surroundings: String
    /// Where the link around it leads; empty outside of links.
    public let link: String

    public init(
        name: String, attributes: [String: String], text: String = "", place: Place = [], surroundings: String = "",
        link: String = ""
    ) {
        (self.name, self.attributes, self.text) = (name, attributes, text)
        (self.place, self.surroundings, self.link) = (place, surroundings, link)
    }
}

extension OutlineElement {
    /// Writes a list as the decoder puts it behind `Descriptors.output`; stops before the total limit.
    public static func encode(_ elements: [OutlineElement]) -> [UInt8] {
        var list = FieldWriter()
        for element in elements.prefix(Limit.elements) {
            var writer = FieldWriter()
            element.write(to: &writer)
            guard list.bytes.count + writer.bytes.count <= Limit.total else { break }
            list.append(raw: writer.bytes)
        }
        return list.bytes
    }

    /// Reads a list back.
    /// - Throws: `.malformed` for anything that `encode` does not write, `.oversized` above the limits.
    public static func decode(_ bytes: [UInt8]) throws(FrameError) -> [OutlineElement] {
        guard bytes.count <= Limit.total else { throw .oversized }
        var reader = FieldReader(bytes)
        var elements: [OutlineElement] = []
        while !reader.isAtEnd {
            guard elements.count < Limit.elements else { throw .oversized }
            elements.append(try OutlineElement(from: &reader))
        }
        return elements
    }

    private func write(to writer: inout FieldWriter) {
        writer.append(name)
        writer.append(UInt8(clamping: min(attributes.count, Limit.attributes)))
        for (key, value) in attributes.sorted(by: { $0.key < $1.key }).prefix(Limit.attributes) {
            writer.append(key)
            writer.append(value.prefix(bytes: Limit.value))
        }
        writer.append(UInt32(place.rawValue))
        writer.append(surroundings)
        writer.append(link.prefix(bytes: Limit.value))
        writer.append(long: text.prefix(bytes: Limit.text))
    }

    private init(from reader: inout FieldReader) throws(FrameError) {
        name = try reader.text(upTo: Limit.value)
        var attributes: [String: String] = [:]
        let count = Int(try reader.byte())
        guard count <= Limit.attributes else { throw .oversized }
        for _ in 0..<count {
            let key = try reader.text(upTo: Limit.value)
            attributes[key] = try reader.text(upTo: Limit.value)
        }
        self.attributes = attributes
        place = Place(rawValue: UInt16(truncatingIfNeeded: try reader.integer()))
        surroundings = try reader.text(upTo: Limit.value)
        link = try reader.text(upTo: Limit.value)
        text = try reader.longText(upTo: Limit.text)
    }
}
