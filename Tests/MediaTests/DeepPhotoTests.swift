import CTurboJPEG
import DecoderProtocol
import PinpostCore
import Testing

@testable import Decoding
@testable import Media

/// Photos with more bits or other chroma than a JPEG of 4:2:0 holds.
@Suite("Photos of more bits and other chroma", .timeLimit(.minutes(10)))
struct DeepPhotoTests {
    private static let names =
        [
            "deep-10-420", "deep-10-422", "deep-10-444", "deep-12-420", "deep-12-422", "deep-12-444", "chroma-422",
            "chroma-444", "mono",
        ].map { $0 + ".heic" }

    private func plan(_ name: String) throws -> (TilePlan, [UInt8]) {
        let file = try Workshop.fixture(name)
        guard case .tiles(let plan) = try HEIFFile(file[...], type: .heic).route else {
            throw MediaError(.damaged, "\(name) does not go the straight way")
        }
        return (plan, file)
    }

    private func pixels(_ job: Job, _ file: [UInt8]) async throws -> (pixels: [Int], header: JPEGHeader) {
        let (_, jpeg) = try await Workshop.pool.perform(job, on: file[...])
        return try jpeg.withUnsafeBytes { bytes in
            let decoder = try JPEGDecoder()
            let header = try decoder.header(InputBytes(bytes))
            let raster = try decoder.pixels(InputBytes(bytes), header)
            return raster.withBytes { base in
                (UnsafeBufferPointer(start: base, count: raster.stride * raster.height).map { Int($0) }, header)
            }
        }
    }

    @Test("they go straight from their tiles, keep their chroma, and look as libheif shows them", arguments: names)
    func straight(_ name: String) async throws {
        let (plan, file) = try plan(name)
        let straight = try await pixels(.joinTiles(plan), file)
        #expect(straight.header.subsampling == plan.chroma.subsampling)
        let library = try await pixels(.convert(.heif, Finish()), file)
        #expect(straight.pixels.count == library.pixels.count)
        let sum = zip(straight.pixels, library.pixels).reduce(0) { $0 + abs($1.0 - $1.1) }
        #expect(sum < 2 * library.pixels.count)
    }

    @Test("they are turned and made smaller as others are", arguments: names, [Orientation.right, .downMirrored])
    func turned(_ name: String, _ orientation: Orientation) async throws {
        let (plan, file) = try plan(name)
        let target = PictureSize(width: 100, height: 67)
        let turned = TilePlan(
            size: plan.size, tileSize: plan.tileSize, columns: plan.columns, tiles: plan.tiles,
            lengthBytes: plan.lengthBytes, parameterSets: plan.parameterSets, chroma: plan.chroma,
            isFullRange: plan.isFullRange, finish: Finish(orientation, size: target))
        let straight = try await pixels(.joinTiles(turned), file)
        let library = try await pixels(.convert(.heif, Finish(orientation, size: target)), file)
        #expect(straight.pixels.count == library.pixels.count)
        let sum = zip(straight.pixels, library.pixels).reduce(0) { $0 + abs($1.0 - $1.1) }
        #expect(sum < 3 * library.pixels.count)
    }

    @Test(
        "levels of any depth and range go to 8 bits by rounding",
        arguments: [
            (10, true, true, [0: 0, 2: 0, 3: 1, 512: 128, 1023: 255]), (10, true, false, [512: 128, 0: 0, 1023: 255]),
            (10, false, true, [64: 0, 940: 255, 0: 0, 1023: 255]), (10, false, false, [512: 128, 64: 0, 960: 255]),
            (8, false, true, [16: 0, 235: 255, 126: 128]), (12, true, true, [4095: 255, 2048: 128]),
        ] as [(Int, Bool, Bool, [Int: UInt8])])
    func levels(_ bits: Int, _ isFullRange: Bool, _ isLuma: Bool, _ expected: [Int: UInt8]) throws {
        let table = try #require(try LevelTable(bits: bits, isFullRange: isFullRange, isLuma: isLuma))
        for (level, result) in expected {
            let samples = [UInt16(level)]
            let got = try samples.withUnsafeBytes { bytes -> UInt8 in
                let single = [UInt8(truncatingIfNeeded: level)]
                let base = try #require(bytes.baseAddress)
                return try single.withUnsafeBytes { short -> UInt8 in
                    let start = bits > 8 ? base : try #require(short.baseAddress)
                    let view = RasterView(base: start, width: 1, height: 1, stride: 2, bytesPerPixel: bits > 8 ? 2 : 1)
                    return try table.applied(to: view).withBytes { $0[0] }
                }
            }
            #expect(got == result, "\(level)")
        }
        #expect(try LevelTable(bits: 8, isFullRange: true, isLuma: true) == nil)
        #expect(throws: Failure.self) { try LevelTable(bits: 17, isFullRange: true, isLuma: true) }
    }

    @Test("a grey photo with a profile for colours becomes a picture in colours, which the profile fits")
    func greyWithProfile() async throws {
        let builder = try HEIFBuilder(tile: Workshop.fixture("mono.heic"))
        let picture = try await Workshop.convert(builder.file(.init(profile: Crafting.profile())))
        #expect(picture.actions == ["decoded heic", "kept icc profile"])
        let subsampling = try picture.bytes.content.withUnsafeBytes { bytes in
            try JPEGDecoder().header(InputBytes(bytes)).subsampling
        }
        #expect(subsampling == TJSAMP_420)
    }

    @Test("colours that an AVIF names by number get the profile of their name too")
    func displayP3() async throws {
        let builder = try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
        // Matrix 1 is nothing that a JPEG holds: this goes through libheif.
        let picture = try await Workshop.convert(builder.file(.init(rows: 2, columns: 3, colours: (12, 1, true))))
        #expect(picture.actions == ["decoded heic", "added icc profile"])
    }
}
