import CPNG
public import DecoderProtocol

/// A PNG file, seen through libpng's simplified interface: the one without longjmp.
struct PNGPicture {
    private let input: InputBytes

    init(_ input: InputBytes) { self.input = input }

    func check() throws(Failure) -> Output {
        let pixels = try decode()
        return Output(codec: .png, width: pixels.width, height: pixels.height, byteCount: 0)
    }

    func bake(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let (count, size) = try decode().withFinished(finish) { (view) throws(Failure) in
            try PNGEncoder.encode(view, into: output)
        }
        return Output(codec: .png, width: size.width, height: size.height, byteCount: count)
    }

    /// Decodes to 8 bits: grey, grey with alpha, RGB or RGBA, as the file has it.
    func decode() throws(Failure) -> Raster {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, try input.bytes(), input.count) != 0 else {
            throw .png(image)
        }
        image.format &= png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        let channels = PNGEncoder.channels(image.format)
        let raster = try Raster(width: Int(image.width), height: Int(image.height), bytesPerPixel: channels)
        let status = raster.withBytes { png_image_finish_read(&image, nil, $0, png_int_32(raster.stride), nil) }
        // Warnings are about chunks that are not copied; errors are about pixels.
        guard status != 0, image.warning_or_error & png_uint_32(PNG_IMAGE_ERROR) == 0 else { throw .png(image) }
        return raster
    }
}

/// Writes 8-bit PNG files.
public enum PNGEncoder {
    /// Above this size the compressor's best effort costs more time than the smaller file is worth.
    private static let largestThoroughlyCompressed = 4_000_000

    /// Encodes packed pixels of 1 (grey), 2 (grey, alpha), 3 (RGB) or 4 (RGBA) bytes and appends the file to `output`.
    /// - Returns: the length of the file in bytes.
    public static func encode(_ pixels: RasterView, into output: OutputFile) throws(Failure) -> Int {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        (image.width, image.height) = (png_uint_32(pixels.width), png_uint_32(pixels.height))
        let color = pixels.bytesPerPixel >= 3 ? PNG_FORMAT_FLAG_COLOR : 0
        let alpha = pixels.bytesPerPixel.isMultiple(of: 2) ? PNG_FORMAT_FLAG_ALPHA : 0
        image.format = png_uint_32(color | alpha)
        if pixels.width * pixels.height > largestThoroughlyCompressed {
            image.flags = png_uint_32(PNG_IMAGE_FLAG_FAST)
        }
        defer { png_image_free(&image) }
        return try output.withStream { stream in
            png_image_write_to_stdio(&image, stream, 0, pixels.base, png_int_32(pixels.stride), nil) != 0
        }
    }

    static func channels(_ format: png_uint_32) -> Int {
        (format & png_uint_32(PNG_FORMAT_FLAG_COLOR) != 0 ? 3 : 1)
            + (format & png_uint_32(PNG_FORMAT_FLAG_ALPHA) != 0 ? 1 : 0)
    }
}

extension Failure {
    /// What libpng said last.
    fileprivate static func png(_ image: png_image) -> Failure {
        let words = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return Failure(words.contains("memory") ? .tooLarge : .damaged, words)
    }
}
