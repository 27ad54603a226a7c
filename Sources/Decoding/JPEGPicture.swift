import CTurboJPEG
import DecoderProtocol

/// A JPEG file, seen through TurboJPEG.
struct JPEGPicture {
    /// Quality of a picture that has to be encoded a second time.
    static let quality = 92
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

    /// Turns the picture upright: losslessly where its size allows that, else by encoding it again.
    func bake(_ orientation: Orientation, into output: OutputFile) throws(Failure) -> Output {
        let decoder = try JPEGDecoder()
        let header = try decoder.header(input)
        try decoder.check(input, header)
        let size = orientation.upright(width: header.width, height: header.height)
        if header.width * header.height <= Self.largestLosslessTurn {
            let transformer = try JPEGTransformer()
            if let count = try transformer.turn(input, orientation, into: output) {
                return Output(
                    codec: .jpeg, width: size.width, height: size.height, byteCount: count, traits: .lossless)
            }
        }
        let count = try encodeAgain(decoder, header, orientation, into: output)
        return Output(codec: .jpeg, width: size.width, height: size.height, byteCount: count)
    }

    private func encodeAgain(
        _ decoder: borrowing JPEGDecoder, _ header: JPEGHeader, _ orientation: Orientation, into output: OutputFile
    ) throws(Failure) -> Int {
        let encoder = try JPEGEncoder()
        if let subsampling = header.subsampling(after: orientation), header.hasPlanes {
            let planes = try decoder.planes(input, header).upright(orientation, subsampling: subsampling)
            return try encoder.encode(planes, quality: Self.quality, into: output)
        }
        return try decoder.pixels(input, header).upright(orientation).withView { (pixels) throws(Failure) in
            try encoder.encode(
                pixels, format: header.packedFormat, subsampling: TJSAMP_420, quality: Self.quality, into: output)
        }
    }
}

/// What the header of a JPEG says.
struct JPEGHeader {
    let width: Int
    let height: Int
    let subsampling: TJSAMP
    let colorspace: TJCS

    /// CMYK and RGB files hold no luma and chroma planes.
    var hasPlanes: Bool { colorspace == TJCS_YCbCr || colorspace == TJCS_GRAY }

    private var isCMYK: Bool { colorspace == TJCS_CMYK || colorspace == TJCS_YCCK }

    /// The packed format that keeps the values as they are.
    var packedFormat: TJPF { isCMYK ? TJPF_CMYK : TJPF_RGB }
    var bytesPerPixel: Int { isCMYK ? 4 : 3 }

    /// The chroma layout of the turned picture; nil where TurboJPEG 2.1 has no name for it.
    func subsampling(after orientation: Orientation) -> TJSAMP? {
        guard orientation.swapsAxes else { return subsampling }
        switch subsampling {
        case TJSAMP_422: return TJSAMP_440
        case TJSAMP_440: return TJSAMP_422
        case TJSAMP_411: return nil
        default: return subsampling
        }
    }
}
