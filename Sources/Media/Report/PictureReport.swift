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
        public let width: Int
        public let height: Int
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
        PictureType.sniff(Array(start.prefix(PictureType.prefixLength))) != nil || Refusal.names(start[...])
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
            try limits.checkShape(width: plan.width, height: plan.height)
            verdict = .taken(plan)
        } catch {
            verdict = .refused(error)
        }
    }
}

extension PictureReport.Plan {
    init(_ survey: Survey, _ limits: PictureLimits) {
        switch survey {
        case .plain(let file, _): self.init(file)
        case .heif(let file): self.init(file, reduction: limits.reduction(of: file.size))
        }
    }

    private init(_ file: CleanFile) {
        let isTurned = file.orientation != .up && !file.isAnimated && file.type.codec != nil
        let size =
            isTurned ? file.orientation.upright(width: file.width, height: file.height) : (file.width, file.height)
        let removals = file.removed.map { "removed \($0)" } + (file.profile.isEmpty ? [] : ["kept icc profile"])
        let name = file.type.name
        if isTurned {
            self.init(
                treatment: .rotate, steps: [file.orientation.description] + removals,
                reason: "Its pixels are turned upright, because the mark that says how goes with the EXIF data.",
                type: file.type, size)
        } else if file.removed.isEmpty {
            self.init(
                treatment: .keep, steps: ["passed unchanged"],
                reason: "Pinry shows \(name), and nothing in it tells about people or places.", type: file.type, size)
        } else {
            self.init(
                treatment: .clean, steps: removals,
                reason:
                    "Pinry shows \(name); what tells about people and places is cut out, the pixels stay as they are.",
                type: file.type, size)
        }
    }

    private init(_ file: HEIFFile, reduction: Int) {
        let upright = file.turn.upright(width: file.size.width, height: file.size.height)
        let size = ((upright.width + reduction - 1) / reduction, (upright.height + reduction - 1) / reduction)
        let steps = file.actions(
            Output(codec: .jpeg, width: size.0, height: size.1, byteCount: 0), reduction: reduction)
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
                type: file.hasAlpha ? nil : .jpeg, size)
        }
    }

    private init(
        treatment: PictureReport.Treatment, steps: [String], reason: String, type: PictureType?,
        _ size: (width: Int, height: Int)
    ) {
        (self.treatment, self.steps, self.reason, self.type) = (treatment, steps, reason, type)
        (width, height) = size
    }
}
