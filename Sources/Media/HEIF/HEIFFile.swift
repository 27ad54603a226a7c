import DecoderProtocol
import PinpostCore

/// What Pinpost has to know of a HEIC or AVIF file before and after a decoder sees it.
struct HEIFFile {
    let type: PictureType
    let width: Int
    let height: Int
    /// What the decoder still has to turn: EXIF counts only where the container says nothing.
    let orientation: Orientation
    /// How the container itself turns the picture, in words; the decoder library obeys it.
    let containerTurns: [String]
    let exif: ExifSummary?
    /// How many pictures the file shows beside each other; only the primary one is taken.
    let pictureCount: Int
    let profile: ICCProfile?
    /// The file with the repairs that libheif 1.15 needs; of the same size.
    let bytes: ArraySlice<UInt8>

    private static let alphaTypes = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"]

    /// Reads and judges a file.
    /// - Throws: `.damaged`, `.overLimit` or `.unsupportedFormat`, before any decoder has seen a byte.
    init(_ file: ArraySlice<UInt8>, type: PictureType, limits: HEIFLimits = HEIFLimits()) throws(MediaError) {
        do {
            let container = try HEIFContainer(file, limits: limits)
            guard let primary = container.primary, !container.items.isEmpty else {
                throw HEIFFile.withoutStill(type, container)
            }
            let gate = HEIFGate(container: container, limits: limits, type: type)
            try gate.check(primary)
            for alpha in Self.alphaItems(of: primary, in: container) { try gate.check(alpha) }
            self.init(container, primary, try gate.size(of: primary), type, limits)
        } catch {
            throw MediaError(error, in: type)
        }
    }

    private init(
        _ container: HEIFContainer, _ primary: HEIFContainer.ItemID, _ size: (width: Int, height: Int),
        _ type: PictureType, _ limits: HEIFLimits
    ) {
        self.type = type
        (width, height) = size
        exif = Self.exif(of: primary, in: container, limit: limits.exifBytes)
        containerTurns = Self.turns(of: primary, in: container)
        let isTurned = ["irot", "imir"].contains { container.property($0, of: primary) != nil }
        orientation = isTurned ? .up : exif?.orientation ?? .up
        pictureCount = container.pictures.count
        let tile = container.targets("dimg", of: primary).first
        profile = Self.profile(of: primary, in: container) ?? tile.flatMap { Self.profile(of: $0, in: container) }
        bytes = HEIFRepair.repaired(container)
    }

    private static func withoutStill(_ type: PictureType, _ container: HEIFContainer) -> MediaError {
        guard container.hasMovie else { return .damaged(type, "it holds no picture") }
        return MediaError(
            .unsupportedFormat, "The \(type.name) file is a moving picture without a still one. Send a photo.")
    }

    private static func alphaItems(
        of primary: HEIFContainer.ItemID, in container: HEIFContainer
    ) -> [HEIFContainer.ItemID] {
        container.references.filter { $0.box.type == "auxl" && $0.to.contains(primary) }.map(\.from).filter { item in
            guard let kind = container.property("auxC", of: item)?.dropFirst(4) else { return false }
            return alphaTypes.contains { kind.starts(with: $0) }
        }
    }

    private static func exif(
        of primary: HEIFContainer.ItemID, in container: HEIFContainer, limit: Int
    ) -> ExifSummary? {
        let described = container.references.first { reference in
            reference.box.type == "cdsc" && reference.to.contains(primary)
                && container.items[reference.from]?.type == "Exif"
        }
        guard let item = described?.from ?? container.items.first(where: { $0.value.type == "Exif" })?.key else {
            return nil
        }
        // The item begins with the distance from there to the TIFF header (ISO/IEC 23008-12, annex A.2.1).
        guard let bytes = container.bytes(of: item, limit: limit) else { return ExifSummary(tiff: []) }
        var reader = ByteReader(bytes[...])
        guard let distance = try? reader.big(4), distance <= reader.remaining else { return ExifSummary(tiff: []) }
        return ExifSummary(tiff: reader.rest.dropFirst(distance))
    }

    private static func turns(of primary: HEIFContainer.ItemID, in container: HEIFContainer) -> [String] {
        (container.items[primary]?.properties ?? []).compactMap { property in
            switch property.type {
            case "irot": ["rotated 270", "rotated 180", "rotated 90"].at((Int(property.payload.first ?? 0) & 3) - 1)
            case "imir": "mirrored"
            default: nil
            }
        }
    }

    private static func profile(of item: HEIFContainer.ItemID, in container: HEIFContainer) -> ICCProfile? {
        for property in container.items[item]?.properties ?? [] where property.type == "colr" {
            guard property.payload.starts(with: "prof") || property.payload.starts(with: "rICC") else { continue }
            return ICCProfile(property.payload.dropFirst(4))
        }
        return nil
    }
}

extension Array {
    fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
