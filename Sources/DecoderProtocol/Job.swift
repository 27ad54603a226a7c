/// What one decoder process does in its life.
///
/// The picture itself lies behind `Descriptors.input`.
public enum Job: Sendable, Hashable {
    /// Decode and throw away: is the picture whole?
    case check(Codec)
    /// Turn the pixels upright and encode them in the same format.
    case bake(Codec, Orientation)
    /// HEIC or AVIF to JPEG, or to PNG where it is really transparent.
    ///
    /// The orientation is the one that the container does not already carry; both sides are divided by `reduction`.
    case convertHEIF(Orientation, reduction: Int = 1)
    /// HEVC tiles to JPEG, without libheif: what nearly every photo of a phone needs.
    case joinTiles(TilePlan)
    /// List what may matter of an HTML page in UTF-8.
    case outlinePage
    /// Draw the plain card.
    case drawCard(Card)
    #if DEBUG
        /// Misbehave on purpose: how tests show what the sandbox stops.
        case misbehave(Misdeed)
    #endif

    /// Which kind of process can serve the job.
    public var role: Role {
        switch self {
        case .check, .bake, .joinTiles, .outlinePage: .fast
        case .convertHEIF: .heif
        case .drawCard: .card
        #if DEBUG
            case .misbehave: .fast
        #endif
        }
    }
}

/// The formats that the decoder processes write, and the fast one reads.
public enum Codec: UInt8, Sendable, Hashable, CaseIterable {
    case jpeg = 1
    case png
    case webP
}

/// The text of a plain card.
public struct Card: Sendable, Hashable {
    /// The longest text of one field, in UTF-8 bytes.
    public static let maximumText = 1024

    public let domain: String
    public let title: String
    /// The small line at the bottom.
    public let footer: String
    /// The site's name, above the domain; may be empty.
    public let site: String

    /// Cuts the texts to `maximumText`.
    public init(domain: String, title: String, footer: String, site: String = "") {
        self.site = site.prefix(bytes: Self.maximumText)
        self.domain = domain.prefix(bytes: Self.maximumText)
        self.title = title.prefix(bytes: Self.maximumText)
        self.footer = footer.prefix(bytes: Self.maximumText)
    }
}

#if DEBUG
    /// What a decoder process must not be able to do, or must not survive; in debug builds only.
    public enum Misdeed: UInt8, Sendable, Hashable, CaseIterable {
        case openFile = 1
        case openSocket
        case startProcess
        case allocateEverything
        case writeTooMuch
        case crash
        case spin
        case exitSilently
    }
#endif
