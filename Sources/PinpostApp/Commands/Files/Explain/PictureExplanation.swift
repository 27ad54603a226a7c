import Administration
import Media
import PinpostCore

/// What `explain --json` prints of a picture: what the file is, and what would be done with it and why.
struct PictureExplanation: Codable, Sendable {
    /// Always `picture`.
    var kind = "picture"
    @Nullable var type: String?
    let bytes: Int
    let brands: [String]
    @Nullable var width: Int?
    @Nullable var height: Int?
    @Nullable var tiles: Tiles?
    @Nullable var bits: Int?
    /// `4:2:0` and the like, `grey`, `palette`, `rgb` or `cmyk`.
    @Nullable var sampling: String?
    @Nullable var alpha: Bool?
    let orientation: Orientation
    let colour: Colour
    @Nullable var exif: Exif?
    let frames: Int
    /// What lies beside the picture and is not taken.
    let extras: [String]
    let verdict: Verdict

    struct Tiles: Codable, Sendable {
        let columns: Int
        let rows: Int
        @Nullable var width: Int?
        @Nullable var height: Int?
    }

    struct Orientation: Codable, Sendable {
        /// As EXIF counts: 1 to 8.
        let value: Int
        let words: String
        /// `container` or `exif`; null where nothing says so.
        @Nullable var origin: String?
    }

    struct Colour: Codable, Sendable {
        @Nullable var profile: String?
        @Nullable var profileBytes: Int?
        @Nullable var primaries: Int?
        @Nullable var matrix: Int?
        @Nullable var fullRange: Bool?

        enum CodingKeys: String, CodingKey {
            case profile
            case profileBytes = "profile_bytes"
            case primaries, matrix
            case fullRange = "full_range"
        }
    }

    struct Exif: Codable, Sendable {
        let gps: Bool
        let camera: Bool
        let date: Bool
    }

    struct Verdict: Codable, Sendable {
        /// `keep`, `clean`, `rotate`, `encode`, `tiles`, `library` or `refuse`.
        let treatment: String
        let reason: String
        /// Of a refusal, for scripts.
        @Nullable var code: String?
        let actions: [String]
        @Nullable var out: Output?
    }

    struct Output: Codable, Sendable {
        /// null where the pixels decide: JPEG, or PNG where they are really transparent.
        @Nullable var type: String?
        /// null where the container crops the picture.
        @Nullable var width: Int?
        @Nullable var height: Int?
    }
}

extension PictureExplanation {
    init(_ report: PictureReport, bytes: Int) {
        let facts = report.facts
        self.bytes = bytes
        _type = Nullable(wrappedValue: facts?.type.mimeType)
        brands = facts?.brands ?? []
        _width = Nullable(wrappedValue: facts?.size?.width)
        _height = Nullable(wrappedValue: facts?.size?.height)
        _tiles = Nullable(wrappedValue: facts?.tiles.map(Tiles.init))
        _bits = Nullable(wrappedValue: facts?.bits)
        _sampling = Nullable(wrappedValue: facts?.sampling?.rawValue)
        _alpha = Nullable(wrappedValue: facts?.hasAlpha)
        orientation = Orientation(facts)
        colour = Colour(facts?.colour)
        _exif = Nullable(
            wrappedValue: facts?.exif.map { Exif(gps: $0.hasGPS, camera: $0.hasCamera, date: $0.hasDate) })
        frames = facts?.frames ?? 1
        extras = facts?.extras ?? []
        verdict = Verdict(report.verdict)
    }
}

extension PictureExplanation.Tiles {
    fileprivate init(_ tiles: PictureFacts.Tiles) {
        self.init(
            columns: tiles.columns, rows: tiles.rows, width: tiles.size?.width, height: tiles.size?.height)
    }
}

extension PictureExplanation.Orientation {
    fileprivate init(_ facts: PictureFacts?) {
        self.init(
            value: facts?.orientationNumber ?? 1, words: facts?.orientationWords ?? "upright",
            origin: facts?.orientationOrigin?.rawValue)
    }
}

extension PictureExplanation.Colour {
    fileprivate init(_ colour: PictureFacts.Colour?) {
        let points = colour?.codePoints
        self.init(
            profile: colour?.profileName, profileBytes: colour?.profileBytes, primaries: points?.primaries,
            matrix: points?.matrix, fullRange: points?.isFullRange)
    }
}

extension PictureExplanation.Verdict {
    fileprivate init(_ verdict: PictureReport.Verdict) {
        switch verdict {
        case .taken(let plan):
            self.init(
                treatment: plan.treatment.rawValue, reason: plan.reason, code: nil, actions: plan.steps,
                out: .init(type: plan.type?.mimeType, width: plan.size?.width, height: plan.size?.height))
        case .refused(let error):
            self.init(
                treatment: "refuse", reason: error.detail, code: error.code.rawValue.snakeCased, actions: [], out: nil)
        }
    }
}
