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
        /// Tiles straight to JPEG.
        case tiles
        /// Through a library that decodes everything.
        case library
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
        case .heif(let file): self.init(file, target: limits.reduced(file.size))
        case .foreign(let file): self.init(file, target: limits.reduced(file.size))
        }
    }

    private init(_ file: CleanFile, _ limits: PictureLimits) {
        let isFixed = file.isAnimated || file.type.codec == nil
        let turn = isFixed ? .up : file.orientation
        let target = isFixed ? nil : limits.reduced(file.size)
        let size = (target ?? file.size).upright(turn)
        let removals = file.removals + (file.coding == .inks ? [] : file.profileNote)
        let scaling = target == nil ? [] : ["scaled to \(size.width) x \(size.height)"]
        let name = file.type.name
        if file.coding == .inks || file.coding == .rare || target != nil {
            self.init(
                treatment: .library, steps: file.opening + turn.steps + scaling + removals,
                reason: target == nil
                    ? "Browsers do not show this kind of \(name) as it is meant, so it is decoded."
                    : "It has more pixels than Pinry takes, so it is decoded and made smaller.",
                type: file.type, size)
        } else if turn != .up {
            self.init(
                treatment: .rotate, steps: file.opening + turn.steps + removals,
                reason: "Its pixels are turned upright, because the mark that says how goes with the EXIF data.",
                type: file.type, size)
        } else if file.removed.isEmpty {
            self.init(
                treatment: .keep, steps: file.opening.isEmpty ? ["passed unchanged"] : file.opening,
                reason: "Pinry shows \(name), and nothing in it tells about people or places.", type: file.type, size)
        } else {
            self.init(
                treatment: .clean, steps: file.opening + removals,
                reason:
                    "Pinry shows \(name); what tells about people and places is cut out, the pixels stay as they are.",
                type: file.type, size)
        }
    }

    private init(_ file: ForeignFile, target: PictureSize?) {
        let size = (target ?? file.size).upright(file.orientation)
        let output = Output(codec: .jpeg, width: size.width, height: size.height, byteCount: 0)
        self.init(
            treatment: .library, steps: file.actions(output, reducedTo: target),
            reason:
                "Pinry shows no \(file.type.name), or shows it wrong: it is decoded, and becomes a JPEG, or a PNG where "
                + "it is transparent or has few colours.",
            type: nil, size)
    }

    private init(_ file: HEIFFile, target: PictureSize?) {
        let size = (target ?? file.size).upright(file.turn)
        let output = Output(codec: .jpeg, width: size.width, height: size.height, byteCount: 0)
        let steps = file.actions(output, reducedTo: target)
        let name = file.type.name
        switch file.route {
        case .tiles:
            self.init(
                treatment: .tiles, steps: steps,
                reason:
                    "Pinry shows no \(name); a JPEG can hold its samples as they are, so its tiles go straight into one.",
                type: .jpeg, size)
        case .library:
            self.init(
                treatment: .library, steps: steps,
                reason:
                    "Pinry shows no \(name), and a JPEG cannot hold its samples as they are: libheif makes RGB of it.",
                type: file.hasAlpha ? nil : .jpeg, file.isCropped ? nil : size)
        }
    }

    private init(
        treatment: PictureReport.Treatment, steps: [String], reason: String, type: PictureType?,
        _ size: PictureSize?
    ) {
        (self.treatment, self.steps, self.reason, self.type) = (treatment, steps, reason, type)
        self.size = size.map { PictureFacts.Size(width: $0.width, height: $0.height) }
    }
}

extension Orientation {
    fileprivate var steps: [String] { self == .up ? [] : [description] }
}
