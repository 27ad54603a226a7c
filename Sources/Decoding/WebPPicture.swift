import CWebP
import DecoderProtocol

/// A WebP file, seen through libwebp.
struct WebPPicture {
    private let input: InputBytes

    init(_ input: InputBytes) { self.input = input }

    func check() throws(Failure) -> Output {
        guard try features().has_animation == 0 else { return try WebPAnimation(input).check() }
        let pixels = try decode()
        return Output(codec: .webP, width: pixels.width, height: pixels.height, byteCount: 0)
    }

    /// Makes the picture smaller, turns it upright and encodes it as it was: losslessly or not.
    func bake(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let isLossless = try features().format == 2
        let (count, size) = try decode().withFinished(finish) { (view) throws(Failure) in
            try WebPEncoder.encode(view, lossless: isLossless, into: output)
        }
        return Output(
            codec: .webP, width: size.width, height: size.height, byteCount: count, traits: isLossless ? .lossless : [])
    }

    private func features() throws(Failure) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        let status = WebPGetFeatures(try input.bytes(), input.count, &features)
        guard status == VP8_STATUS_OK else { throw .webP(status) }
        return features
    }

    /// Decodes to RGBA.
    func decode() throws(Failure) -> Raster {
        let features = try features()
        let raster = try Raster(width: Int(features.width), height: Int(features.height), bytesPerPixel: 4)
        let (bytes, size) = (try input.bytes(), raster.stride * raster.height)
        let isDecoded = raster.withBytes { target in
            WebPDecodeRGBAInto(bytes, input.count, target, size, CInt(raster.stride)) != nil
        }
        guard isDecoded else {
            throw Failure(.damaged, "libwebp cannot decode it")
        }
        return raster
    }
}

/// Writes WebP files.
enum WebPEncoder {
    private static let quality: Float = 92
    /// libwebp's presets run from 0 (fast) to 9; a photo of a phone must fit into the CPU limit.
    private static let losslessLevel: CInt = 2

    /// Encodes RGBA pixels and appends the file to `output`.
    /// - Returns: the length of the file in bytes.
    static func encode(_ pixels: RasterView, lossless: Bool, into output: OutputFile) throws(Failure) -> Int {
        var (configuration, picture, writer) = (WebPConfig(), CWebP.WebPPicture(), WebPMemoryWriter())
        guard WebPConfigInit(&configuration) != 0, WebPPictureInit(&picture) != 0 else {
            throw Failure(.internalFault, "libwebp is of another version")
        }
        configuration.quality = quality
        configuration.method = 2
        if lossless { _ = WebPConfigLosslessPreset(&configuration, losslessLevel) }
        WebPMemoryWriterInit(&writer)
        defer {
            WebPMemoryWriterClear(&writer)
            WebPPictureFree(&picture)
        }
        picture.use_argb = lossless ? 1 : 0
        (picture.width, picture.height) = (CInt(pixels.width), CInt(pixels.height))
        let bytes = pixels.base.assumingMemoryBound(to: UInt8.self)
        guard WebPPictureImportRGBA(&picture, bytes, CInt(pixels.stride)) != 0 else {
            throw Failure(.tooLarge, "no memory for \(pixels.width) x \(pixels.height) pixels")
        }
        let succeeded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&configuration, &picture) != 0
        }
        guard succeeded else { throw Failure(.internalFault, "libwebp error \(picture.error_code.rawValue)") }
        try output.write(UnsafeRawBufferPointer(start: writer.mem, count: writer.size))
        return writer.size
    }
}

extension Failure {
    fileprivate static func webP(_ status: VP8StatusCode) -> Failure {
        switch status {
        case VP8_STATUS_OUT_OF_MEMORY: Failure(.tooLarge, "libwebp is out of memory")
        case VP8_STATUS_UNSUPPORTED_FEATURE: Failure(.unsupported, "libwebp does not know a feature")
        default: Failure(.damaged, "libwebp status \(status.rawValue)")
        }
    }
}
