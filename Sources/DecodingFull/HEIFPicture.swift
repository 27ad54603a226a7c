import CHeif
import DecoderProtocol
import Decoding

/// The primary picture of a HEIC or AVIF file, decoded by libheif to RGB or RGBA.
struct HEIFPicture: ~Copyable {
    /// libheif 1.15 needs about 6 bytes a pixel; more does not fit into the address space limit.
    static let maximumPixels = 64_000_000
    /// About the size of the HEIC, and what a person cannot tell from it.
    static let quality = 85

    private let context: OpaquePointer
    private let handle: OpaquePointer

    /// Reads the container; the input must stay in place.
    init(_ input: InputBytes) throws(Failure) {
        let bytes = try input.bytes()
        guard let context = heif_context_alloc() else { throw Failure(.tooLarge, "no memory") }
        heif_context_set_max_decoding_threads(context, 0)
        do throws(Failure) {
            try check(heif_context_read_from_memory_without_copy(context, bytes, input.count, nil))
            var primary: OpaquePointer?
            try check(heif_context_get_primary_image_handle(context, &primary))
            guard let primary else { throw Failure(.damaged, "no primary image") }
            (handle, self.context) = (primary, context)
        } catch {
            heif_context_free(context)
            throw error
        }
    }

    deinit {
        heif_image_handle_release(handle)
        heif_context_free(context)
    }

    /// Decodes, makes smaller, turns upright and encodes: a JPEG, or a PNG where the picture is really transparent.
    func convert(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        let (width, height) = (heif_image_handle_get_width(handle), heif_image_handle_get_height(handle))
        guard width > 0, height > 0, Int(width) * Int(height) <= Self.maximumPixels else {
            throw Failure(.tooLarge, "\(width) x \(height) pixels")
        }
        let hasAlpha = heif_image_handle_has_alpha_channel(handle) != 0
        let image = try HEIFImage(handle, chroma: hasAlpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB)
        return try image.withView { (view) throws(Failure) in
            try PictureWriter(finish, quality: Self.quality, keepsDrawings: false).write(view, into: output)
        }
    }
}

/// One decoded image with its pixels packed.
final class HEIFImage {
    private let view: RasterView
    private let image: OpaquePointer

    init(_ handle: OpaquePointer, chroma: heif_chroma) throws(Failure) {
        guard let options = heif_decoding_options_alloc() else { throw Failure(.tooLarge, "no memory") }
        defer { heif_decoding_options_free(options) }
        options.pointee.convert_hdr_to_8bit = 1
        var decoded: OpaquePointer?
        try check(heif_decode_image(handle, &decoded, heif_colorspace_RGB, chroma, options))
        guard let decoded else { throw Failure(.damaged, "no pixels") }
        var stride: CInt = 0
        guard let plane = heif_image_get_plane(decoded, heif_channel_interleaved, &stride) else {
            heif_image_release(decoded)
            throw Failure(.damaged, "no packed pixels")
        }
        image = decoded
        view = RasterView(
            base: plane, width: Int(heif_image_get_width(decoded, heif_channel_interleaved)),
            height: Int(heif_image_get_height(decoded, heif_channel_interleaved)), stride: Int(stride),
            bytesPerPixel: chroma == heif_chroma_interleaved_RGBA ? 4 : 3)
    }

    deinit { heif_image_release(image) }

    /// Lends the pixels; they live at least until `body` returns.
    func withView<Result>(_ body: (RasterView) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(view)
    }
}

/// Turns libheif's answer into a thrown error, its words copied at once.
private func check(_ error: heif_error) throws(Failure) {
    switch error.code {
    case heif_error_Ok: return
    case heif_error_Unsupported_filetype, heif_error_Unsupported_feature: throw Failure(.unsupported, error.words)
    case heif_error_Memory_allocation_error: throw Failure(.tooLarge, error.words)
    default: throw Failure(.damaged, error.words)
    }
}

extension heif_error {
    var words: String { message.map { String(cString: $0) } ?? "no reason given" }
}
