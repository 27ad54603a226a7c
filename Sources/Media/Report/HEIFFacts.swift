import DecoderProtocol

extension PictureFacts {
    private static let auxiliaries: [(kind: String, name: String)] = [
        ("urn:com:apple:photo:2020:aux:hdrgainmap", "gain map"), ("urn:mpeg:hevc:2015:auxid:2", "depth map"),
        ("urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "depth map"), ("urn:com:apple:photo:", "matte"),
    ]

    /// Takes what the container says of its primary picture.
    mutating func read(_ container: HEIFContainer) {
        brands = container.brands
        if container.hasMovie { add("movie") }
        if container.hasVideo { add("video") }
        guard let primary = container.primary else { return }
        let transform = HEIFTransform(of: primary, in: container)
        if transform.isTurned { (orientation, orientationOrigin) = (transform.turn, .container) }
        let picture = transform.source
        size = Size(container.size(of: picture))
        let pieces = container.targets("dimg", of: picture)
        if let grid = container.grid(of: picture), container.items[picture]?.type == "grid" {
            tiles = Tiles(
                columns: grid.columns, rows: grid.rows, size: Size(pieces.first.flatMap { container.size(of: $0) }))
        }
        let coded = container.items[picture]?.type == "grid" ? pieces.first ?? picture : picture
        readCoding(of: coded, in: container)
        let colour = HEIFColour(of: [primary, picture, coded], in: container)
        if let profile = colour.profile, Optional(profile) != .displayP3 { self.colour.take(profile) }
        self.colour.codePoints = colour.codePoints.map {
            CodePoints(primaries: $0.primaries, matrix: $0.matrix, isFullRange: $0.isFullRange)
        }
        if let tiff = HEIFFile.exifBytes(of: primary, in: container, limit: HEIFLimits().exifBytes) { take(exif: tiff) }
        readCompanions(of: [primary, picture], in: container)
    }

    /// Bits and chroma of a coded picture: of the parameter sets of HEVC, or of the `av1C` of AV1 (section 2.3.3).
    private mutating func readCoding(of item: HEIFContainer.ItemID, in container: HEIFContainer) {
        if let setup = container.property("hvcC", of: item), let sequence = try? HEVCConfiguration(setup).sequence {
            bits = sequence.lumaBits
            sampling = [0: .grey, 1: .yuv420, 2: .yuv422, 3: .yuv444][sequence.chromaFormat]
        } else if let flags = container.property("av1C", of: item)?.dropFirst(2).first {
            bits = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
            sampling = flags & 0x10 != 0 ? .grey : flags & 0x08 == 0 ? .yuv444 : flags & 0x04 == 0 ? .yuv422 : .yuv420
        }
    }

    private mutating func readCompanions(of pictures: [HEIFContainer.ItemID], in container: HEIFContainer) {
        hasAlpha = !HEIFFile.alphaItems(of: pictures, in: container).isEmpty
        if container.items.values.contains(where: { $0.type == "tmap" }) { add("gain map") }
        for item in container.items.keys.sorted() {
            guard let kind = container.property("auxC", of: item)?.dropFirst(4) else { continue }
            if let name = Self.auxiliaries.first(where: { kind.starts(with: $0.kind) })?.name { add(name) }
        }
        if container.references.contains(where: { $0.box.type == "thmb" }) { add("thumbnail") }
        if container.items.values.contains(where: { $0.type == "mime" }) { add("xmp") }
        if container.pictures.count > 1 { add("\(container.pictures.count - 1) more pictures") }
    }
}

extension PictureFacts.Size {
    init?(_ size: PictureSize?) {
        guard let size else { return nil }
        self.init(width: size.width, height: size.height)
    }
}
