import DecoderProtocol
import PinpostCore

/// What Pinpost has to know of a HEIC or AVIF file before and after a decoder sees it.
struct HEIFFile {
    /// How the picture becomes a JPEG.
    enum Route {
        /// Straight from its tiles.
        case tiles(TilePlan)
        /// Through libheif, which obeys the container; the turn is what the container does not say.
        case libheif(Orientation)
    }

    let type: PictureType
    let size: TilePlan.Size
    let route: Route
    /// What turns the picture upright: the container, else EXIF.
    let turn: Orientation
    let exif: ExifSummary?
    /// How many pictures the file shows beside each other; only the primary one is taken.
    let pictureCount: Int
    let profile: ICCProfile?
    /// The container cuts something away at the edges.
    let isCropped: Bool
    /// Pixels may let the background through.
    let hasAlpha: Bool
    /// The file; for libheif 1.15 with the repairs that it needs, of the same size.
    let source: PictureSource

    private static let alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]

    /// Reads and judges a file.
    /// - Throws: `.damaged`, `.overLimit` or `.unsupportedFormat`, before any decoder has seen a byte.
    init(_ file: PictureSource, type: PictureType, limits: HEIFLimits = HEIFLimits()) throws(MediaError) {
        do {
            let container = try HEIFContainer(file, limits: limits)
            guard let primary = container.primary, !container.items.isEmpty else {
                throw HEIFFile.withoutStill(type, container)
            }
            try self.init(container, primary, type, limits)
        } catch {
            throw MediaError(error, in: type)
        }
    }

    private init(
        _ container: HEIFContainer, _ primary: HEIFContainer.ItemID, _ type: PictureType, _ limits: HEIFLimits
    ) throws(MediaError) {
        let transform = HEIFTransform(of: primary, in: container)
        let picture = transform.source
        let alphas = Self.alphaItems(of: [primary, picture], in: container)
        let gate = HEIFGate(container: container, type: type, limits: limits.tiled)
        try gate.checkPlaces()
        for item in [primary] + alphas { try gate.check(item) }
        let tiles = container.targets("dimg", of: picture).prefix(1)
        let colour = HEIFColour(of: [primary, picture] + tiles, in: container)
        let exif = Self.exifBytes(of: primary, in: container, limit: limits.exifBytes).map(ExifSummary.init(tiff:))
        let leftToExif = transform.isTurned ? .up : exif?.orientation ?? .up
        let plan =
            alphas.isEmpty && !transform.isCropped
            ? TilePlanner(container: container).plan(
                for: picture, turn: transform.turn.followed(by: leftToExif), colour: colour) : nil
        if plan == nil {
            let gate = HEIFGate(container: container, type: type, limits: limits.libheif)
            for item in [primary] + alphas { try gate.check(item) }
        }
        self.type = type
        size = try gate.size(of: picture)
        route = plan.map { .tiles($0) } ?? .libheif(leftToExif)
        turn = transform.turn.followed(by: leftToExif)
        self.exif = exif
        pictureCount = container.pictures.count
        profile = colour.profile
        isCropped = transform.isCropped
        hasAlpha = !alphas.isEmpty
        source = plan == nil ? HEIFRepair.repaired(container) : container.file
    }

    private static func withoutStill(_ type: PictureType, _ container: HEIFContainer) -> MediaError {
        guard container.hasMovie else { return .damaged(type, "it holds no picture") }
        return MediaError(
            .unsupportedFormat, "The \(type.name) file is a moving picture without a still one. Send a photo.")
    }

    static func alphaItems(
        of pictures: [HEIFContainer.ItemID], in container: HEIFContainer
    ) -> [HEIFContainer.ItemID] {
        let companions = container.references.filter { reference in
            reference.box.type == "auxl" && pictures.contains { reference.to.contains($0) }
        }
        return companions.map(\.from).filter { item in
            guard let kind = container.property("auxC", of: item)?.dropFirst(4) else { return false }
            return alphaTypes.contains { kind.starts(with: $0) }
        }
    }

    /// The TIFF structure that describes a picture; empty where it cannot be read, nil where there is none.
    static func exifBytes(
        of primary: HEIFContainer.ItemID, in container: HEIFContainer, limit: Int
    ) -> ArraySlice<UInt8>? {
        let described = container.references.first { reference in
            reference.box.type == "cdsc" && reference.to.contains(primary)
                && container.items[reference.from]?.type == "Exif"
        }
        let anybody = container.items.filter { $0.value.type == "Exif" }.keys.min()
        guard let item = described?.from ?? anybody else { return nil }
        // The item begins with the distance from there to the TIFF header (ISO/IEC 23008-12, annex A.2.1).
        guard let bytes = container.bytes(of: item, limit: limit) else { return [] }
        var reader = ByteReader(bytes[...])
        guard let distance = try? reader.big(4), distance <= reader.remaining else { return [] }
        return reader.rest.dropFirst(distance)
    }
}
