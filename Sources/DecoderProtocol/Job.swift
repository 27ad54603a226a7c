/// What one decoder process does in its life.
///
/// The picture itself lies behind `Descriptors.input`.
public enum Job: Sendable, Hashable {
    /// Decode and throw away: is the picture whole?
    case check(Codec)
    /// Make the picture smaller, turn it upright and encode it in the same format.
    case bake(Codec, Finish)
    /// A format that Pinry does not show to JPEG, or to PNG where it is really transparent or a drawing.
    case convert(Foreign, Finish)
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
        case .convert(let format, _): format.role
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

/// The formats that are read only.
public enum Foreign: UInt8, Sendable, Hashable, CaseIterable {
    /// HEIC or AVIF; the turn of the job is the one that the container does not already carry.
    case heif = 1
    /// A Windows bitmap file.
    case bitmap
    /// A bitmap out of an icon: without a file header, with a mask below.
    case icon
    /// The first page of a TIFF; the turn of the job is the one that the file names.
    case tiff
    /// JPEG XL, which is turned by its decoder.
    case jpegXL
    /// A JPEG in printing inks.
    case inkJPEG

    fileprivate var role: Role {
        switch self {
        case .bitmap, .icon: .fast
        case .heif: .heif
        case .tiff, .jpegXL, .inkJPEG: .rare
        }
    }
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
