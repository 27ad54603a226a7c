import CJXL
import DecoderProtocol
import Decoding

/// The first frame of a JPEG XL file, seen through libjxl, without threads.
struct JXLPicture: ~Copyable {
    /// The pixels take 4 bytes each here, and 12 and more inside libjxl.
    static let maximumPixels = 24_000_000

    private let decoder: OpaquePointer
    private let input: InputBytes

    init(_ input: InputBytes) throws(Failure) {
        guard let decoder = JxlDecoderCreate(nil) else { throw Failure(.tooLarge, "no memory") }
        (self.decoder, self.input) = (decoder, input)
    }

    deinit { JxlDecoderDestroy(decoder) }

    /// Decodes upright, converts to sRGB and encodes.
    func convert(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let events = JXL_DEC_BASIC_INFO.rawValue | JXL_DEC_COLOR_ENCODING.rawValue | JXL_DEC_FULL_IMAGE.rawValue
        guard JxlDecoderSubscribeEvents(decoder, CInt(events)) == JXL_DEC_SUCCESS,
            JxlDecoderSetInput(decoder, try input.bytes(), input.count) == JXL_DEC_SUCCESS
        else { throw Failure(.internalFault, "libjxl does not start") }
        JxlDecoderCloseInput(decoder)
        let size = try readSize()
        let profile = try readProfile()
        let raster = try Raster(width: size.width, height: size.height, bytesPerPixel: 4)
        try readPixels(raster)
        return try raster.withView { (view) throws(Failure) in
            if let converter = ColorConverter(profile, .rgba) {
                converter.convert(view, into: UnsafeMutableRawPointer(mutating: view.base), stride: view.stride)
            }
            return try PictureWriter(finish).write(view, into: output)
        }
    }

    private func readSize() throws(Failure) -> PictureSize {
        try advance(to: JXL_DEC_BASIC_INFO)
        var info = JxlBasicInfo()
        guard JxlDecoderGetBasicInfo(decoder, &info) == JXL_DEC_SUCCESS else { throw Failure(.damaged, "no header") }
        let size = PictureSize(width: Int(info.xsize), height: Int(info.ysize))
        guard size.width > 0, size.height > 0, size.width * size.height <= Self.maximumPixels else {
            throw Failure(.tooLarge, "\(size.width) x \(size.height) pixels")
        }
        return size
    }

    /// The profile of the pixels that will come out.
    private func readProfile() throws(Failure) -> [UInt8] {
        try advance(to: JXL_DEC_COLOR_ENCODING)
        var (format, count) = (Self.format, 0)
        guard
            JxlDecoderGetICCProfileSize(decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &count) == JXL_DEC_SUCCESS,
            count <= 4 << 20
        else { return [] }
        var profile = [UInt8](repeating: 0, count: count)
        let status = JxlDecoderGetColorAsICCProfile(
            decoder, &format, JXL_COLOR_PROFILE_TARGET_DATA, &profile, profile.count)
        return status == JXL_DEC_SUCCESS ? profile : []
    }

    private func readPixels(_ raster: borrowing Raster) throws(Failure) {
        try advance(to: JXL_DEC_NEED_IMAGE_OUT_BUFFER)
        var format = Self.format
        let status = raster.withBytes {
            JxlDecoderSetImageOutBuffer(decoder, &format, $0, raster.stride * raster.height)
        }
        guard status == JXL_DEC_SUCCESS else { throw Failure(.damaged, "libjxl cannot give pixels") }
        try advance(to: JXL_DEC_FULL_IMAGE)
    }

    private func advance(to event: JxlDecoderStatus) throws(Failure) {
        let status = JxlDecoderProcessInput(decoder)
        guard status == event else {
            throw Failure(.damaged, status == JXL_DEC_NEED_MORE_INPUT ? "it ends too early" : "libjxl cannot decode it")
        }
    }

    private static let format = JxlPixelFormat(
        num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
}
