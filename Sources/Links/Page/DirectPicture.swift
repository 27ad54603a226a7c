import PinpostCore

/// What a link gives that leads to the picture itself, not to a page.
public struct DirectPicture: Sendable, Hashable {
    /// As `explain` names it among the rules.
    public static let rule = "direct"

    public let url: String
    /// In pixels, as stored; nil where the first bytes do not tell.
    public let size: Size?

    public struct Size: Sendable, Hashable {
        public let width: Int
        public let height: Int
    }

    /// nil for a page: what was saved is a picture by its first bytes, or is empty and named like one.
    public init?(_ url: String, answering bytes: [UInt8]) {
        guard let address = WebAddress(url) else { return nil }
        let isNamed = Self.endings.contains { address.fileName.lowercased().hasSuffix($0) }
        guard PictureType.isPinned(bytes) || bytes.isEmpty && isNamed else { return nil }
        self.url = address.text
        size = PictureHeader.size(of: bytes).map { Size(width: $0.width, height: $0.height) }
    }

    private static let endings = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".avif"]
}

extension PictureType {
    /// Whether the first bytes are those of a picture of a kind that becomes a pin.
    static func isPinned(_ bytes: [UInt8]) -> Bool {
        switch sniff(Array(bytes.prefix(prefixLength))) {
        case .jpeg, .png, .gif, .webp, .heic, .avif: true
        default: false
        }
    }
}
