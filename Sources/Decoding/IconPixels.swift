public import DecoderProtocol

/// The pixels of a site's icon: PNG, JPEG, or a bitmap out of an ICO file.
public enum IconPixels {
    private static let largest = 1_024

    /// Decodes to grey, grey with alpha, RGB or RGBA.
    /// - Throws: `.damaged` or `.tooLarge` for what is no icon.
    public static func decode(_ input: InputBytes) throws(Failure) -> Raster {
        let bytes = UnsafeBufferPointer(start: try input.bytes(), count: input.count)
        let raster: Raster
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            raster = try PNGPicture(input).decode()
        } else if bytes.starts(with: [0xFF, 0xD8]) {
            let decoder = try JPEGDecoder()
            let header = try decoder.header(input)
            guard header.width <= largest, header.height <= largest, header.bytesPerPixel <= 3 else {
                throw Failure(.tooLarge)
            }
            raster = try decoder.pixels(input, header)
        } else {
            raster = try BitmapPicture(icon: input).decode()
        }
        guard raster.width <= largest, raster.height <= largest else { throw Failure(.tooLarge) }
        return raster
    }
}
