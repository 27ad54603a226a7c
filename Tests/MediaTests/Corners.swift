import DecoderProtocol
import PinpostCore

@testable import Decoding

/// What the four corners of a picture show: red and green above, blue and yellow below, unless it is turned.
struct Corners: Equatable, CustomStringConvertible {
    let letters: String

    var description: String { letters }

    /// The corners in reading order as they must be after an orientation was baked into `RGBY` pixels.
    static func upright(_ orientation: Orientation) -> Corners {
        let letters =
            switch orientation {
            case .up: "RGBY"
            case .upMirrored: "GRYB"
            case .down: "YBGR"
            case .downMirrored: "BYRG"
            case .leftMirrored: "RBGY"
            case .right: "BRYG"
            case .rightMirrored: "YGBR"
            case .left: "GYRB"
            }
        return Corners(letters: letters)
    }

    init(letters: String) { self.letters = letters }

    /// Decodes a finished picture and looks at its corners.
    init(of picture: ConvertedPicture) throws {
        let letters = try picture.bytes.content.withUnsafeBytes { bytes -> String in
            let input = InputBytes(bytes)
            switch picture.shape.type {
            case .jpeg:
                let decoder = try JPEGDecoder()
                return try decoder.pixels(input, decoder.header(input)).withView(Self.letters)
            case .png:
                return try PNGPicture(input).decode().withView(Self.letters)
            default:
                return try WebPPicture(input).decode().withView(Self.letters)
            }
        }
        self.init(letters: letters)
    }

    private static func letters(_ view: RasterView) -> String {
        let (right, bottom) = (view.width - 3, view.height - 3)
        return String([(2, 2), (right, 2), (2, bottom), (right, bottom)].map { letter(view, $0.0, $0.1) })
    }

    private static func letter(_ view: RasterView, _ x: Int, _ y: Int) -> Character {
        let pixel = view.base + y * view.stride + x * view.bytesPerPixel
        let channels = (0..<3).map { pixel.load(fromByteOffset: $0, as: UInt8.self) > 115 }
        switch channels {
        case [true, false, false]: return "R"
        case [false, true, false]: return "G"
        case [false, false, true]: return "B"
        case [true, true, false]: return "Y"
        default: return "?"
        }
    }
}
