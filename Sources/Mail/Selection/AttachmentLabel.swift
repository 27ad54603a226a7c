internal import PinpostCore

/// What the header, the markup or a container says of a piece of content.
struct AttachmentLabel: Sendable {
    /// The decoded name without path or control characters; nil where there is none.
    private(set) var name: String?
    /// In lower case.
    let declaredType: String
    let isInline: Bool
    /// Its sender says so; nobody else does.
    let isAttached: Bool
    /// It is the content of an encrypted mail (RFC 1847), or the control part beside it.
    let isEncrypted: Bool
    /// It is a mail that S/MIME closes, whatever type it is said to have.
    let isSMIME: Bool
    /// By which the HTML shows it.
    let contentID: String?
    /// Where the texts of the mail show it: its content id, or the mark of its place between them.
    private(set) var placeInText: String?
    let nesting: Int

    /// Longer names help nobody, in characters.
    static let longestName = 255

    init(
        name: String?, declaredType: String, isInline: Bool, isAttached: Bool = false, isEncrypted: Bool = false,
        isSMIME: Bool = false, contentID: String? = nil, nesting: Int
    ) {
        self.name = name.flatMap(Self.cleaned)
        self.declaredType = declaredType
        self.isInline = isInline
        self.isAttached = isAttached
        self.isEncrypted = isEncrypted
        self.isSMIME = isSMIME
        self.contentID = contentID
        placeInText = contentID
        self.nesting = nesting
    }

    init(_ part: MIMEPart, charsetHint: String?) {
        let disposition = part.disposition
        let hint = part.header.charsetHint ?? charsetHint
        let name =
            disposition.parameter("filename", charsetHint: hint) ?? disposition.parameter("name", charsetHint: hint)
            ?? part.header.contentType.parameter("name", charsetHint: hint)
        self.init(
            name: name, declaredType: part.type, isInline: Self.isInline(part, disposition),
            isAttached: disposition.value.hasPrefix("attachment"), isEncrypted: part.containers.last == "encrypted",
            isSMIME: part.isSignedContent, contentID: part.contentID, nesting: part.nesting)
    }

    mutating func stand(at place: String) { placeInText = place }

    mutating func rename(_ name: String?) { self.name = name.flatMap(Self.cleaned) ?? self.name }

    /// What HTML refers to is shown in it, whatever the disposition says.
    private static func isInline(_ part: MIMEPart, _ disposition: MIMEValue) -> Bool {
        disposition.value.hasPrefix("inline") || part.contentID != nil && part.containers.last == "related"
    }

    /// Whether the sender meant it as a picture.
    var claimsPicture: Bool {
        if declaredType.hasPrefix("image/") { return true }
        guard let name, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return Self.extensions.contains(String(lowercasing: name.utf8[dot...].dropFirst()))
    }

    private static let extensions: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff",
    ]

    private static func cleaned(_ name: String) -> String? {
        if isClean(name.utf8) { return name }
        let base =
            name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.last.map(Substring.init) ?? ""
        let isPlain = base.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        let visible = base.unicodeScalars.lazy.map { Self.isInvisible($0) ? " " : Character($0) }
        let folded = folded(isPlain ? String(base) : String(visible))
        guard !folded.isEmpty, folded != ".", folded != ".." else { return nil }
        return folded.utf8.count <= longestName ? folded : String(folded.prefix(longestName))
    }

    /// Most names are: without blanks, paths, and anything beyond ASCII.
    private static func isClean(_ name: String.UTF8View) -> Bool {
        (1...longestName).contains(name.count) && name.first != UInt8(ascii: ".")
            && name.allSatisfy { (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
    }

    /// Controls, and marks that make a name read backwards.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
}

/// A picture that was stored and still has to pass the rules.
struct PictureCandidate: Sendable {
    let label: AttachmentLabel
    let type: PictureType
    let bytes: StoredBytes
    let size: PictureSize?
    /// Why it cannot be used, in words for the sender.
    let fault: String?
}
