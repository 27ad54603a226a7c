import CTurboJPEG
public import DecoderProtocol

/// Owns one TurboJPEG decompressor.
public struct JPEGDecoder: ~Copyable {
    private let handle: tjhandle

    public init() throws(Failure) {
        guard let handle = tjInitDecompress() else { throw Failure(.internalFault, "tjInitDecompress failed") }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    public func header(_ input: InputBytes) throws(Failure) -> JPEGHeader {
        var (width, height, subsampling, colorspace): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        let status = tjDecompressHeader3(
            handle, try input.bytes(), UInt(input.count), &width, &height, &subsampling, &colorspace)
        guard status == 0, subsampling >= 0, colorspace >= 0 else { throw .turboJPEG(handle) }
        return JPEGHeader(
            width: Int(width), height: Int(height), subsampling: TJSAMP(UInt32(subsampling)),
            colorspace: TJCS(UInt32(colorspace)))
    }

    /// Reads all coefficients and stops at the first sign of damage.
    public func check(_ input: InputBytes, _ header: JPEGHeader) throws(Failure) {
        let (width, height) = ((header.width + 7) / 8, (header.height + 7) / 8)
        let preview = try Raster(width: width, height: height, bytesPerPixel: header.bytesPerPixel)
        let flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_FASTUPSAMPLE
        let bytes = try input.bytes()
        let status = preview.withBytes { target in
            tjDecompress2(
                handle, bytes, UInt(input.count), target, CInt(width), 0, CInt(height),
                CInt(header.packedFormat.rawValue), flags)
        }
        guard status != 0 else { return }
        let failure = Failure.turboJPEG(handle)
        // Cameras leave such bytes between segments; every decoder skips them without harm to the picture.
        guard failure.detail.contains("extraneous bytes") else { throw failure }
    }

    /// Decodes to packed RGB, or CMYK for a CMYK file, at its own size or at another one that `JPEGHeader` allows.
    public func pixels(
        _ input: InputBytes, _ header: JPEGHeader, scaledTo size: PictureSize? = nil
    ) throws(Failure) -> Raster {
        let size = size ?? header.size
        let raster = try Raster(width: size.width, height: size.height, bytesPerPixel: header.bytesPerPixel)
        let bytes = try input.bytes()
        let status = raster.withBytes { target in
            tjDecompress2(
                handle, bytes, UInt(input.count), target, CInt(size.width), 0, CInt(size.height),
                CInt(header.packedFormat.rawValue), TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT)
        }
        guard status == 0 || tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue) else { throw .turboJPEG(handle) }
        return raster
    }

    /// Decodes to planes as they are stored, without colour conversion.
    func planes(
        _ input: InputBytes, _ header: JPEGHeader, scaledTo size: PictureSize? = nil
    ) throws(Failure) -> JPEGPlanes {
        let size = size ?? header.size
        let planes = try JPEGPlanes(width: size.width, height: size.height, subsampling: header.subsampling)
        var (pointers, strides) = (planes.pointers, planes.strides)
        let status = tjDecompressToYUVPlanes(
            handle, try input.bytes(), UInt(input.count), &pointers, CInt(size.width), &strides, CInt(size.height),
            TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT)
        guard status == 0 || tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue) else { throw .turboJPEG(handle) }
        return planes
    }
}

extension Failure {
    /// What TurboJPEG said last.
    static func turboJPEG(_ handle: tjhandle?) -> Failure {
        let words = tjGetErrorStr2(handle).map { String(cString: $0) } ?? ""
        if words.contains("nsupported") || words.contains("not supported") { return Failure(.unsupported, words) }
        if words.contains("memory") || words.contains("too many") { return Failure(.tooLarge, words) }
        return Failure(.damaged, words)
    }
}
