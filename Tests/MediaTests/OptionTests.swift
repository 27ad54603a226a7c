import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

/// What a tenant may choose, and what a server may refuse.
@Suite("Options of a conversion", .timeLimit(.minutes(10)))
struct OptionTests {
    private func convert(_ file: [UInt8], _ options: ConversionOptions) async throws -> ConvertedPicture {
        try await Workshop.converter.convert(StoredBytes(file), options)
    }

    @Test(
        "a picture is made smaller until the server takes its bytes", arguments: ["photo.heic", "jpeg", "tiff", "png"])
    func bytes(_ kind: String) async throws {
        let file: [UInt8] =
            switch kind {
            case "photo.heic": try Workshop.fixture(kind)
            case "jpeg": try JPEGKindTests.plain(width: 900, height: 600, quality: 100)
            case "png": Self.noise(png: true)
            default: Self.noise(png: false)
            }
        let full = try await convert(file, ConversionOptions())
        let limit = full.bytes.count / 3
        let picture = try await convert(file, ConversionOptions(maximumBytes: limit))
        #expect(picture.bytes.count <= limit && picture.bytes.count > limit / 4)
        #expect(picture.shape.width < full.shape.width)
        #expect(picture.actions.contains("scaled to \(picture.shape.width) x \(picture.shape.height)"))
    }

    @Test("an animation that the server does not take is refused, with the numbers")
    func animation() async throws {
        let file = try Workshop.fixture("animated.webp")
        let error = await #expect(throws: MediaError.self) { try await convert(file, .init(maximumBytes: 100)) }
        #expect(error?.code == .overLimit && error?.detail.contains("animation") == true)
        #expect(error?.detail.contains("raise client_max_body_size") == true)
        #expect(try await convert(file, .init(maximumBytes: file.count)).bytes.count == file.count)
    }

    @Test("a limit that nothing fits into is an error, not a loop")
    func impossible() async throws {
        let file = try Workshop.fixture("photo.heic")
        let error = await #expect(throws: MediaError.self) { try await convert(file, .init(maximumBytes: 100)) }
        #expect(error?.code == .overLimit)
    }

    /// EXIF with make, model, software, serial number, owner, a place and two dates.
    private static let exif: [UInt8] = {
        func long(_ number: Int) -> [UInt8] { UInt32(number).bigEndianBytes }
        let texts = ["Apple", "iPhone 15 Pro", "SERIAL-4711", "Jane Owner", "2026:05:04 12:34:56"]
        var (values, places): ([UInt8], [Int]) = ([], [])
        for text in texts {
            places.append(8 + 2 + 12 * 5 + 4 + values.count)
            values += Array(text.utf8) + [0] + (text.utf8.count.isMultiple(of: 2) ? [0] : [])
        }
        func field(_ tag: Int, _ index: Int) -> [UInt8] {
            [UInt8(tag >> 8), UInt8(tag & 255), 0, 2] + long(texts[index].utf8.count + 1) + long(places[index])
        }
        let details = 8 + 2 + 12 * 5 + 4 + values.count
        var main: [UInt8] = Array("MM\0*".utf8) + long(8) + [0, 5]
        main += field(0x010F, 0) + field(0x0110, 1) + [0x01, 0x12, 0, 3] + long(1) + [0, 6, 0, 0]
        main += [0x87, 0x69, 0, 4] + long(1) + long(details) + [0x88, 0x25, 0, 4] + long(1) + long(details) + long(0)
        return main + values + [0, 3] + field(0x9003, 4) + field(0xA431, 2) + field(0xA430, 3) + long(0)
    }()

    private static let segment = Crafting.segment(0xE1, Array("Exif\0\0".utf8) + exif)

    private func camera(_ picture: ConvertedPicture) throws -> CameraFacts? {
        guard case .plain(let file, _) = try Survey(picture.bytes.content[...], PictureLimits()) else { return nil }
        return file.exif?.camera
    }

    @Test(
        "make, model and date are kept if wanted, upright and without anything else", arguments: ["jpg", "png", "heic"])
    func kept(_ kind: String) async throws {
        let file: [UInt8] =
            switch kind {
            case "jpg": Crafting.jpeg(try Workshop.fixture("corners.jpg"), adding: [Self.segment])
            case "png": Crafting.png(try Workshop.fixture("corners.png"), adding: "eXIf", Self.exif)
            default: try Workshop.fixture("photo.heic")
            }
        let picture = try await convert(file, ConversionOptions(keepsCamera: true))
        #expect(picture.actions.last == "kept camera and date")
        let facts = try #require(try camera(picture))
        if kind == "heic" {
            #expect(facts.make == "Pinpost test camera" && facts.model.isEmpty && facts.date.isEmpty)
        } else {
            #expect(facts.make == "Apple" && facts.model == "iPhone 15 Pro" && facts.date == "2026:05:04 12:34:56")
        }
        guard case .plain(let again, _) = try Survey(picture.bytes.content[...], PictureLimits()) else { return }
        #expect(again.orientation == .up && again.exif?.hasGPS == false && again.exif?.orientation == nil)
        #expect(!picture.bytes.content.contains("SERIAL") && !picture.bytes.content.contains("Owner"))
        // And it is a picture that goes through again.
        #expect(try await convert(picture.bytes.content, .init()).shape == picture.shape)
    }

    @Test("without the wish nothing is kept")
    func notKept() async throws {
        let file = Crafting.jpeg(try Workshop.fixture("corners.jpg"), adding: [Self.segment])
        let picture = try await convert(file, ConversionOptions())
        #expect(!picture.bytes.content.contains("Apple") && !picture.bytes.content.contains("2026:05"))
    }

    @Test("texts that are no names and dates that are no dates stay out")
    func strange() {
        let facts = CameraFacts(
            make: Array("App\u{1}le \u{7F}\u{E9}  ".utf8)[...], model: [UInt8](repeating: 0x41, count: 500)[...],
            date: Array("2026:05:04 12:34:5x".utf8)[...])
        #expect(facts.make == "Apple" && facts.model.utf8.count == 64 && facts.date.isEmpty)
    }

    /// A picture that compresses badly.
    private static func noise(png: Bool) -> [UInt8] {
        var state: UInt32 = 1
        let (width, height) = (200, 150)
        let pixels = (0..<width * height * 3).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        guard png else { return PixelFiles.tiff(PixelFiles.page(width, height), strip: pixels) }
        // Stored, not compressed: rows with their filter byte in one deflate block each.
        var (data, body): ([UInt8], [UInt8]) = ([0x78, 1], [])
        for y in 0..<height {
            let row = [0] + pixels[y * width * 3..<(y + 1) * width * 3]
            let length = row.count
            data += [y == height - 1 ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
            data += [UInt8(~length & 255), UInt8(~length >> 8 & 255)] + row
            body += row
        }
        data += Checksum.adler32(body[...]).bigEndianBytes
        let header = UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNGChunk.bytes("IHDR", header)
            + PNGChunk.bytes("IDAT", data) + PNGChunk.bytes("IEND", [])
    }
}
