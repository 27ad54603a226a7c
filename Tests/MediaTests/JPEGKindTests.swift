import CTurboJPEG
import DecoderProtocol
import PinpostCore
import Testing

@testable import Decoding
@testable import Media

/// JPEG files that Pinry or a browser would show wrong.
@Suite("Kinds of JPEG", .timeLimit(.minutes(10)))
struct JPEGKindTests {
    /// A CMYK JPEG of one colour; `inks` as Adobe stores them, 255 is none.
    private func inked(_ inks: [UInt8], width: Int = 48, height: Int = 32) throws -> [UInt8] {
        let pixels = (0..<width * height).flatMap { _ in inks }
        return try pixels.withUnsafeBytes { bytes in
            try JPEGEncoder().encode(
                RasterView(
                    base: try #require(bytes.baseAddress), width: width, height: height, stride: 4 * width,
                    bytesPerPixel: 4),
                format: TJPF_CMYK, subsampling: TJSAMP_444, quality: 100)
        }
    }

    /// The middle pixel of a JPEG.
    private func color(_ picture: ConvertedPicture) throws -> [Int] {
        try picture.bytes.content.withUnsafeBytes { bytes in
            let decoder = try JPEGDecoder()
            return try decoder.pixels(InputBytes(bytes), decoder.header(InputBytes(bytes))).withView { view in
                (0..<3).map {
                    Int(view.base.load(fromByteOffset: 16 * view.stride + 16 * 3 + $0, as: UInt8.self))
                }
            }
        }
    }

    @Test(
        "inks become the colours that they print, by the plain formula without a profile",
        arguments: [
            ([255, 0, 0, 255], [255, 0, 0]), ([0, 255, 255, 255], [0, 255, 255]),
            ([255, 255, 255, 128], [128, 128, 128]),
            ([200, 100, 255, 128], [100, 50, 128]),
        ] as [([UInt8], [Int])])
    func inks(_ stored: [UInt8], _ expected: [Int]) async throws {
        let picture = try await Workshop.convert(inked(stored))
        #expect(picture.actions == ["converted cmyk", "encoded again"])
        #expect(zip(try color(picture), expected).allSatisfy { abs($0 - $1) <= 3 })
    }

    @Test("a profile of inks is used, and does not stay in the file")
    func inkProfile() async throws {
        let chunk = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + Crafting.inkProfile()
        let file = Crafting.jpeg(try inked([255, 0, 0, 255]), adding: [])
        let adobe = Array(file.prefix(2)) + Crafting.segment(0xE2, chunk) + file.dropFirst(2)
        let picture = try await Workshop.convert(adobe)
        // The table of this profile knows one colour for all inks: middle grey.
        #expect(zip(try color(picture), [119, 119, 119]).allSatisfy { abs($0 - $1) <= 4 })
        #expect(!picture.bytes.content.contains("ICC_PROFILE"))
    }

    @Test("inks are turned upright too")
    func turnedInks() async throws {
        let file = try inked([255, 0, 0, 255])
        let picture = try await Workshop.convert(
            Array(file.prefix(2)) + Crafting.exifSegment(6) + file.dropFirst(2))
        #expect(picture.shape == .init(type: .jpeg, width: 32, height: 48))
        #expect(
            picture.actions == ["converted cmyk", "rotated 90", "encoded again", "removed exif", "removed gps"])
    }

    @Test("a JPEG in arithmetic coding, which no browser shows, is coded anew without a loss")
    func arithmetic() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("corners-arithmetic.jpg"))
        #expect(picture.actions == ["decoded rare jpeg"])
        #expect(picture.bytes.content.dropFirst(2).contains("JFIF"))
        let plain = try await Workshop.convert(Workshop.fixture("corners-odd.jpg"))
        #expect(try Self.pixels(picture) == Self.pixels(plain))
    }

    @Test("a JPEG that lacks nothing but its end gets it, and that is said", arguments: [1, 2])
    func mended(_ missing: Int) async throws {
        let file = try Workshop.fixture("corners-odd.jpg")
        let picture = try await Workshop.convert(Array(file.dropLast(missing)))
        #expect(picture.bytes.content == file)
        #expect(picture.actions == ["added missing end"])
    }

    @Test(
        "a turn without loss cuts off less than nobody sees, or the picture is encoded again",
        arguments: Orientation.allCases)
    func trimmed(_ orientation: Orientation) async throws {
        // 904 x 404 pixels in blocks of 16: 8 columns and 4 rows are too many for a turn without loss.
        let file = try Self.odd.get()
        let picture = try await Workshop.convert(
            Array(file.prefix(2)) + Crafting.exifSegment(orientation.rawValue) + file.dropFirst(2))
        let cutsColumns = [.upMirrored, .down, .rightMirrored, .left].contains(orientation)
        let cutsRows = [.down, .downMirrored, .right, .rightMirrored].contains(orientation)
        let size = PictureSize(width: cutsColumns ? 896 : 904, height: cutsRows ? 400 : 404).upright(orientation)
        #expect(picture.shape == .init(type: .jpeg, width: size.width, height: size.height))
        let cut = (cutsColumns ? 8 : 0) + (cutsRows ? 4 : 0)
        #expect(picture.actions.contains("cut off \(cut) pixels at an edge") == (cut > 0))
        #expect(!picture.actions.contains("encoded again"))
        #expect(try Corners(of: picture) == .upright(orientation))
    }

    @Test("a JPEG above the limit is made smaller by any factor", arguments: [1, 6])
    func reduced(_ orientation: UInt8) async throws {
        let file = try Self.plain(width: 900, height: 600)
        var limits = PictureLimits()
        limits.outputPixels = 300_000
        let picture = try await Workshop.convert(
            Array(file.prefix(2)) + Crafting.exifSegment(orientation) + file.dropFirst(2), limits)
        let size = PictureSize(width: 670, height: 447).upright(orientation == 1 ? .up : .right)
        #expect(abs(picture.shape.width - size.width) <= 1 && abs(picture.shape.height - size.height) <= 1)
        #expect(picture.shape.width * picture.shape.height <= 300_000)
        #expect(picture.actions.contains("encoded again"))
        #expect(try Corners(of: picture) == .upright(orientation == 1 ? .up : .right))
    }

    @Test(
        "PNG and WebP above the limit are made smaller",
        arguments: ["corners.png", "corners.webp", "corners-lossless.webp"])
    func reducedOthers(_ name: String) async throws {
        var limits = PictureLimits()
        limits.outputPixels = 1_000
        let picture = try await Workshop.convert(Workshop.fixture(name), limits)
        #expect(picture.shape.width * picture.shape.height <= 1_000 && picture.shape.width >= 37)
        #expect(try Corners(of: picture) == .upright(.up))
        #expect(picture.actions.first == "scaled to \(picture.shape.width) x \(picture.shape.height)")
    }

    private static let odd = Result { try plain(width: 904, height: 404) }

    /// A 4:2:0 JPEG of the four corners.
    static func plain(width: Int, height: Int, quality: Int = 90) throws -> [UInt8] {
        let rows = PixelFiles.rows(width, height, padded: false) { [$1.red, $1.green, $1.blue] }
        return try Array(rows.joined()).withUnsafeBytes { bytes in
            try JPEGEncoder().encode(
                RasterView(
                    base: try #require(bytes.baseAddress), width: width, height: height, stride: 3 * width,
                    bytesPerPixel: 3),
                format: TJPF_RGB, subsampling: TJSAMP_420, quality: quality)
        }
    }

    private static func pixels(_ picture: ConvertedPicture) throws -> [UInt8] {
        try picture.bytes.content.withUnsafeBytes { bytes in
            let decoder = try JPEGDecoder()
            let raster = try decoder.pixels(InputBytes(bytes), decoder.header(InputBytes(bytes)))
            return raster.withBytes { Array(UnsafeBufferPointer(start: $0, count: raster.stride * raster.height)) }
        }
    }
}
