import CTurboJPEG
public import DecoderProtocol

/// A JPEG file, seen through TurboJPEG.
struct JPEGPicture {
    /// Coefficients of a lossless turn lie in memory twice, 3 bytes a pixel each with 4:2:0.
    private static let largestLosslessTurn = 48_000_000

    private let input: InputBytes

    init(_ input: InputBytes) { self.input = input }

    /// Decodes at an eighth of the size, which reads every coefficient.
    func check() throws(Failure) -> Output {
        let decoder = try JPEGDecoder()
        let header = try decoder.header(input)
        try decoder.check(input, header)
        return Output(codec: .jpeg, width: header.width, height: header.height, byteCount: 0)
    }

    /// Makes the picture smaller and turns it upright: losslessly where its size allows that, else by encoding it again.
    ///
    /// A lossless turn may cut off a few pixels at an edge, which would be only a part of a block.
    func bake(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let decoder = try JPEGDecoder()
        let header = try decoder.header(input)
        try decoder.check(input, header)
        if finish.size == nil, header.width * header.height <= Self.largestLosslessTurn,
            let size = header.sizeAfterTrimming(finish.orientation)
        {
            let transformer = try JPEGTransformer()
            if let count = try transformer.turn(input, finish.orientation, into: output) {
                return Output(
                    codec: .jpeg, width: size.width, height: size.height, byteCount: count, traits: .lossless)
            }
        }
        let size = (finish.size ?? header.size).upright(finish.orientation)
        let count = try encodeAgain(decoder, header, finish, into: output)
        return Output(codec: .jpeg, width: size.width, height: size.height, byteCount: count)
    }

    private func encodeAgain(
        _ decoder: borrowing JPEGDecoder, _ header: JPEGHeader, _ finish: Finish, into output: OutputFile
    ) throws(Failure) -> Int {
        let encoder = try JPEGEncoder()
        let near = header.scaled(downTo: finish.size ?? header.size)
        if header.hasPlanes, let subsampling = header.subsampling.turned(finish.orientation) {
            var planes = try decoder.planes(input, header, scaledTo: near)
            if let size = finish.size, size != near { planes = try planes.reduced(to: size) }
            if finish.orientation != .up { planes = try planes.upright(finish.orientation, subsampling: subsampling) }
            planes.padLuma(rows: 0..<planes.height)
            return try encoder.encode(planes, quality: PictureWriter.highQuality, into: output)
        }
        return try decoder.pixels(input, header, scaledTo: near).withFinished(finish) { (pixels) throws(Failure) in
            try encoder.encode(
                pixels, format: header.packedFormat, subsampling: TJSAMP_420, quality: PictureWriter.highQuality,
                into: output)
        }.0
    }
}

/// What the header of a JPEG says.
public struct JPEGHeader {
    let width: Int
    let height: Int
    let subsampling: TJSAMP
    let colorspace: TJCS

    /// The most pixels, and the largest part of the picture, that a lossless turn may cut off.
    private static let largestCut = 15
    private static let largestCutPart = 100

    public var size: PictureSize { PictureSize(width: width, height: height) }

    /// CMYK and RGB files hold no luma and chroma planes.
    var hasPlanes: Bool { colorspace == TJCS_YCbCr || colorspace == TJCS_GRAY }

    public var isCMYK: Bool { colorspace == TJCS_CMYK || colorspace == TJCS_YCCK }

    /// The packed format that keeps the values as they are.
    var packedFormat: TJPF { isCMYK ? TJPF_CMYK : TJPF_RGB }
    var bytesPerPixel: Int { isCMYK ? 4 : 3 }

    /// The smallest size that TurboJPEG decodes to on the way (eighths) and that is not below another one.
    func scaled(downTo size: PictureSize) -> PictureSize {
        for eighths in 1...7 {
            let (width, height) = ((width * eighths + 7) / 8, (height * eighths + 7) / 8)
            if width >= size.width, height >= size.height { return PictureSize(width: width, height: height) }
        }
        return self.size
    }

    /// The size after a lossless turn, which leaves out partial blocks that would come to lie left or above.
    ///
    /// nil where that is more than nobody would see: 15 pixels and one in a hundred.
    func sizeAfterTrimming(_ orientation: Orientation) -> PictureSize? {
        let block = subsampling.blockSize
        let mirrorsColumns = orientation.swapsAxes ? orientation.mirrorsRows : orientation.mirrorsColumns
        let mirrorsRows = orientation.swapsAxes ? orientation.mirrorsColumns : orientation.mirrorsRows
        let (cutColumns, cutRows) = (mirrorsColumns ? width % block.width : 0, mirrorsRows ? height % block.height : 0)
        guard cutColumns <= Self.largestCut, cutColumns * Self.largestCutPart < max(width, 1) || cutColumns == 0,
            cutRows <= Self.largestCut, cutRows * Self.largestCutPart < max(height, 1) || cutRows == 0
        else { return nil }
        return PictureSize(width: width - cutColumns, height: height - cutRows).upright(orientation)
    }
}
