import DecoderProtocol
public import PinpostCore

/// What a picture file is and what would be done with it; nothing is decoded for that.
public struct PictureReport: Sendable, Hashable {
    /// What the file says of itself; nil for a format that is no picture.
    public let facts: PictureFacts?
    public let verdict: Verdict

    public enum Verdict: Sendable, Hashable {
        case taken(Plan)
        case refused(MediaError)
    }

    /// How a file becomes what Pinry gets, as far as its structure tells; a decoder may still find it damaged.
    public struct Plan: Sendable, Hashable {
        public let treatment: Treatment
        /// In the words that a conversion reports.
        public let steps: [String]
        /// Why it is done so, in one sentence.
        public let reason: String
        /// What comes out; nil where the pixels decide.
        public let type: PictureType?
        /// In pixels; nil where the container crops the picture.
        public let size: PictureFacts.Size?
    }

    public enum Treatment: String, Sendable, Hashable, CaseIterable {
        /// Byte for byte.
        case keep
        /// The same pixels without what tells about people and places.
        case clean
        /// Turned upright in its own format.
        case rotate
        /// Decoded and encoded again in its own format: too large, in inks, or of a rare kind.
        case encode
        /// Tiles straight to JPEG.
        case tiles
        /// Decoded as a whole, and encoded as JPEG or PNG.
        case throughLibrary = "library"
    }

    /// Whether the first bytes are those of a picture, or of a file that people mistake for one.
    public static func recognises(_ start: [UInt8]) -> Bool {
        PictureType.sniff(Array(start.prefix(PictureType.prefixLength))) != nil || RawFile.isRaw(start[...])
            || Refusal.names(start[...])
    }

    /// How many bytes `recognises` looks at.
    public static let startLength = Survey.startLength

    public init(_ bytes: [UInt8], limits: PictureLimits = PictureLimits()) {
        let source = PictureSource(bytes[...])
        let type = PictureType.sniff(Array(bytes.prefix(PictureType.prefixLength)))
        facts = type.map { PictureFacts(source, type: $0) }
        do throws(MediaError) {
            try limits.check(fileBytes: bytes.count)
            let survey = try Survey(source, limits)
            let plan = Plan(survey, limits)
            if let size = plan.size { try limits.checkShape(width: size.width, height: size.height) }
            verdict = .taken(plan)
        } catch {
            verdict = .refused(error)
        }
    }
}

extension PictureReport.Plan {
    init(_ survey: Survey, _ limits: PictureLimits) {
        switch survey {
        case .plain(let file, _): self.init(file, limits)
        case .heif(let file): self.init(file, limits)
        case .foreign(let file): self.init(file, limits)
        }
    }

    /// A format that Pinry shows.
    private init(_ file: CleanFile, _ limits: PictureLimits) {
        let target = file.isAnimated || file.type.codec == nil ? nil : limits.reduced(file.size)
        let isTurned = file.orientation != .up && !file.isAnimated && file.type.codec != nil
        let size = (target ?? file.size).upright(isTurned ? file.orientation : .up)
        let isEncoded = target != nil || file.coding == .inks || file.coding == .rare
        var steps = file.opening
        if isTurned { steps.append(file.orientation.description) }
        if target != nil { steps.append("scaled to \(size.width) x \(size.height)") }
        let keptProfile = file.coding == .inks ? [] : file.profileNote
        steps += isTurned || isEncoded ? file.removals + keptProfile : file.notes
        let treatment: PictureReport.Treatment =
            isEncoded ? .encode : isTurned ? .rotate : steps.isEmpty ? .keep : .clean
        self.init(
            treatment: treatment, steps: steps.isEmpty ? ["passed unchanged"] : steps,
            reason: Self.reason(treatment, file, isReduced: target != nil), type: file.type, size)
    }

    private static func reason(
        _ treatment: PictureReport.Treatment, _ file: CleanFile, isReduced: Bool
    ) -> String {
        let name = file.type.name
        switch treatment {
        case .keep: return "Pinry shows \(name), and nothing in it tells about people or places."
        case .rotate:
            let edge =
                file.type == .jpeg ? " At an edge up to 15 rows may be cut, so that nothing is encoded again." : ""
            return "Its pixels are turned upright, because the mark that says how goes with the EXIF data." + edge
        case .encode where isReduced: return "It has more pixels than Pinry can take."
        case .encode where file.coding == .inks: return "It is in printing inks, which browsers show in wrong colours."
        case .encode: return "Browsers do not show this kind of \(name)."
        default:
            return "Pinry shows \(name); what tells about people and places is cut out, the pixels stay as they are."
        }
    }

    /// HEIC and AVIF.
    private init(_ file: HEIFFile, _ limits: PictureLimits) {
        let target = limits.reduced(file.size)
        let size = (target ?? file.size).upright(file.turn)
        let steps = file.actions(Output(size), reducedTo: target)
        let name = file.type.name
        switch file.route {
        case .tiles:
            self.init(
                treatment: .tiles, steps: steps,
                reason: "Pinry shows no \(name); a JPEG can hold its samples, so its tiles go straight into one.",
                type: .jpeg, size)
        case .libheif:
            self.init(
                treatment: .throughLibrary, steps: steps,
                reason:
                    "Pinry shows no \(name), and a JPEG cannot hold its samples as they are: libheif makes RGB of it.",
                type: file.hasAlpha ? nil : .jpeg, file.isCropped ? nil : size)
        }
    }

    /// Other formats that Pinry does not show.
    private init(_ file: ForeignFile, _ limits: PictureLimits) {
        let target = limits.reduced(file.size)
        // JPEG XL is turned by its decoder, which alone knows how.
        let size = file.type == .jxl ? nil : (target ?? file.size).upright(file.orientation)
        self.init(
            treatment: .throughLibrary, steps: file.actions(Output(size ?? file.size), reducedTo: target),
            reason:
                "Pinry shows no \(file.type.name): it is decoded, and encoded as JPEG, or as PNG where it is transparent "
                + "or drawn.", type: nil, size)
    }

    private init(
        treatment: PictureReport.Treatment, steps: [String], reason: String, type: PictureType?, _ size: PictureSize?
    ) {
        (self.treatment, self.steps, self.reason, self.type) = (treatment, steps, reason, type)
        self.size = PictureFacts.Size(size)
    }
}

extension Output {
    /// What a decoder would announce, as far as it is known before.
    fileprivate init(_ size: PictureSize) {
        self.init(codec: .jpeg, width: size.width, height: size.height, byteCount: 0)
    }
}
