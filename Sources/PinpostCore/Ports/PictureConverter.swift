/// Makes a picture that Pinry takes out of whatever came in; the decoding happens in a sandboxed process.
public protocol PictureConverter: Sendable {
    func convert(_ picture: StoredBytes) async throws(MediaError) -> ConvertedPicture
    /// Draws the placeholder of a link without a picture.
    func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture
}

public struct ConvertedPicture: Sendable, Hashable {
    public struct Shape: Sendable, Hashable {
        public let type: PictureType
        /// Pixels, as stored in the file.
        public let width: Int
        public let height: Int

        public init(type: PictureType, width: Int, height: Int) {
            self.type = type
            self.width = width
            self.height = height
        }
    }

    public let bytes: StoredBytes
    public let shape: Shape
    /// nil for a card.
    public let original: Shape?
    /// In short words, in order: `decoded heic`, `rotated 90`, `removed gps`, `kept icc profile`, `passed unchanged`.
    public let actions: [String]

    public init(bytes: StoredBytes, shape: Shape, original: Shape?, actions: [String]) {
        self.bytes = bytes
        self.shape = shape
        self.original = original
        self.actions = actions
    }
}

public struct CardText: Sendable, Hashable {
    /// The host of the link, in the form that a person reads.
    public var domain: String
    public var title: String
    public var url: String
    /// The site's own name, where it has one beside its host.
    public var site: String

    public init(domain: String, title: String, url: String, site: String = "") {
        self.domain = domain
        self.title = title
        self.url = url
        self.site = site
    }
}
