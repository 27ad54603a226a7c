import CDe265
import DecoderProtocol

/// Owns one libde265 decoder, which decodes one intra picture after another.
///
/// One decoder for all tiles of a photo: a new one for each costs half as much again. It starts no threads.
struct HEVCDecoder: ~Copyable {
    private let context: UnsafeMutableRawPointer
    private let parameterSets: [UInt8]
    private let lengthBytes: Int

    /// Takes VPS, SPS and PPS, each with a length of 2 bytes before it; in a tile, the length of a NAL unit takes
    /// `lengthBytes`.
    init(parameterSets: [UInt8], lengthBytes: Int) throws(Failure) {
        guard let context = de265_new_decoder() else { throw Failure(.tooLarge, "no memory for the HEVC decoder") }
        self.context = context
        (self.parameterSets, self.lengthBytes) = (parameterSets, lengthBytes)
    }

    deinit { de265_free_decoder(context) }

    /// Decodes one tile and lends its picture, which is gone when `body` returns.
    /// - Throws: `.damaged` when the data is not one whole picture, and what `body` throws.
    mutating func withPicture(
        in tile: UnsafeBufferPointer<UInt8>, _ body: (HEVCImage) throws(Failure) -> Void
    ) throws(Failure) {
        defer { de265_reset(context) }
        try parameterSets.withUnsafeBufferPointer { (units) throws(Failure) in try push(units, lengthBytes: 2) }
        try push(tile, lengthBytes: lengthBytes)
        try check(de265_flush_data(context))
        try body(HEVCImage(try firstPicture()))
    }

    private func push(_ units: UnsafeBufferPointer<UInt8>, lengthBytes: Int) throws(Failure) {
        var rest = units[...]
        while !rest.isEmpty {
            let length = rest.prefix(lengthBytes).reduce(0) { $0 << 8 | Int($1) }
            let unit = rest.dropFirst(lengthBytes)
            guard rest.count >= lengthBytes, length > 0, length <= unit.count else {
                throw Failure(.damaged, "a NAL unit does not fit")
            }
            let bytes = UnsafeBufferPointer(rebasing: unit.prefix(length))
            try check(de265_push_NAL(context, bytes.baseAddress, CInt(clamping: length), 0, nil))
            rest = unit.dropFirst(length)
        }
    }

    private func firstPicture() throws(Failure) -> OpaquePointer {
        var more: CInt = 1
        while more != 0 {
            more = 0
            try check(de265_decode(context, &more))
            guard let picture = de265_peek_next_picture(context) else { continue }
            try checkWarnings()
            return picture
        }
        throw Failure(.damaged, "a tile holds no picture")
    }

    /// What libde265 calls a warning is a hole in the picture, filled with whatever was there.
    private func checkWarnings() throws(Failure) {
        let warning = de265_get_warning(context)
        guard warning == DE265_OK || warning == DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI else {
            throw Failure(.damaged, String(cString: de265_get_error_text(warning)))
        }
    }

    private func check(_ status: de265_error) throws(Failure) {
        guard status != DE265_OK else { return }
        let words = String(cString: de265_get_error_text(status))
        throw Failure(status == DE265_ERROR_OUT_OF_MEMORY ? .tooLarge : .damaged, words)
    }
}

/// A decoded picture that belongs to its decoder.
struct HEVCImage {
    private let image: OpaquePointer

    init(_ image: OpaquePointer) { self.image = image }

    var size: TilePlan.Size {
        TilePlan.Size(width: Int(de265_get_image_width(image, 0)), height: Int(de265_get_image_height(image, 0)))
    }

    /// How many chroma samples there are.
    var chroma: TilePlan.Chroma? { TilePlan.Chroma(rawValue: UInt8(clamping: de265_get_chroma_format(image).rawValue)) }

    /// Bits of a sample of one plane.
    func bits(ofPlane index: Int) -> Int { Int(de265_get_bits_per_pixel(image, CInt(index))) }

    /// One of the planes: luma, then the two of chroma; samples of more than 8 bits take two bytes.
    func plane(_ index: Int) throws(Failure) -> RasterView {
        var stride: CInt = 0
        guard let base = de265_get_image_plane(image, CInt(index), &stride) else {
            throw Failure(.damaged, "a tile has no pixels")
        }
        return RasterView(
            base: base, width: Int(de265_get_image_width(image, CInt(index))),
            height: Int(de265_get_image_height(image, CInt(index))), stride: Int(stride),
            bytesPerPixel: bits(ofPlane: index) > 8 ? 2 : 1)
    }
}
