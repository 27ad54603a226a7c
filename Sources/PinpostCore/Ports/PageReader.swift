/// Lists what may matter of an HTML page; the parser runs in a sandboxed process.
public protocol PageReader: Sendable {
    /// Takes a page apart; `html` is its text, whatever charset it came in.
    func outline(of html: String) async throws(MediaError) -> PageOutline
}

/// The elements of a page that may matter for its picture, title and description, in document order.
public struct PageOutline: Sendable, Hashable {
    public var elements: [Element]

    public init(_ elements: [Element]) { self.elements = elements }

    public struct Element: Sendable, Hashable {
        /// In lower case.
        public let name: String
        /// Names in lower case, entities resolved.
        public let attributes: [String: String]
        /// Of titles, headings and scripts of linked data.
        public let text: String
        public let place: Place
        /// `class` and `id` of the elements around, the nearest first, in lower case.
        public let surroundings: String
        /// Where the link around it leads; empty outside of links.
        public let link: String

        public init(
            name: String, attributes: [String: String], text: String = "", place: Place = [],
            surroundings: String = "", link: String = ""
        ) {
            self.name = name
            self.attributes = attributes
            self.text = text
            self.place = place
            self.surroundings = surroundings
            self.link = link
        }
    }

    /// The parts of a page in which an element stands.
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
}
