/// Makes a picture that Pinry takes out of whatever came in; the decoding happens in a sandboxed process.
public protocol PictureConverter: Sendable {
    /// The result has no more bytes than the options allow; what cannot be made so small is `.overLimit`.
    func convert(_ picture: StoredBytes, _ options: ConversionOptions) async throws(MediaError) -> ConvertedPicture
    /// Draws the placeholder of a link without a picture.
    func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture
}

/// What may differ from one conversion to the next.
public struct ConversionOptions: Sendable, Hashable {
    /// The most bytes that the server of this picture takes, where that is known to be less than usual (HTTP 413).
    public var maximumBytes: Int?
    /// Whether make and model of the camera and the date stay in JPEG and PNG files; nothing else of EXIF ever does.
    public var keepsCamera: Bool

    public init(maximumBytes: Int? = nil, keepsCamera: Bool = false) {
        (self.maximumBytes, self.keepsCamera) = (maximumBytes, keepsCamera)
    }
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
    /// The site's icon as it was fetched: PNG, JPEG or the bitmap out of an ICO file; empty where there is none.
    public var icon: [UInt8]

    public init(domain: String, title: String, url: String, site: String = "", icon: [UInt8] = []) {
        self.icon = icon
        self.domain = domain
        self.title = title
        self.url = url
        self.site = site
    }
}
