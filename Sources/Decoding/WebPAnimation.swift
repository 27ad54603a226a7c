import CWebP
import DecoderProtocol

/// Owns one decoder of an animated WebP file.
struct WebPAnimation: ~Copyable {
    private let decoder: OpaquePointer

    /// Reads the structure; the input must stay in place.
    init(_ input: InputBytes) throws(Failure) {
        var options = WebPAnimDecoderOptions()
        var data = WebPData(bytes: try input.bytes(), size: input.count)
        guard WebPAnimDecoderOptionsInit(&options) != 0, let decoder = WebPAnimDecoderNew(&data, &options) else {
            throw Failure(.damaged, "libwebp cannot read the animation")
        }
        self.decoder = decoder
    }

    deinit { WebPAnimDecoderDelete(decoder) }

    /// Decodes every frame.
    func check() throws(Failure) -> Output {
        var info = WebPAnimInfo()
        guard WebPAnimDecoderGetInfo(decoder, &info) != 0 else { throw Failure(.damaged, "it has no animation") }
        var (frame, time): (UnsafeMutablePointer<UInt8>?, CInt) = (nil, 0)
        while WebPAnimDecoderHasMoreFrames(decoder) != 0 {
            guard WebPAnimDecoderGetNext(decoder, &frame, &time) != 0 else {
                throw Failure(.damaged, "libwebp cannot decode a frame")
            }
        }
        return Output(codec: .webP, width: Int(info.canvas_width), height: Int(info.canvas_height), byteCount: 0)
    }
}
