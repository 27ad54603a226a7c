import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

@Suite("Hostile pictures", .timeLimit(.minutes(10)))
struct HostileTests {
    private func builder() throws -> HEIFBuilder { try HEIFBuilder(tile: Workshop.fixture("tile.heic")) }

    private func code(_ plan: HEIFBuilder.Plan) throws -> MediaError.Code? {
        let file = try builder().file(plan)
        let error = #expect(throws: MediaError.self) { try HEIFFile(file[...], type: .heic) }
        return error?.code
    }

    @Test("a good grid passes the gate")
    func goodGrid() throws {
        let file = try HEIFFile(builder().file(.init(rows: 3, columns: 4, size: (250, 190)))[...], type: .heic)
        #expect(file.size == .init(width: 250, height: 190))
    }

    @Test("a grid that shows one tile many times is refused")
    func repeatedTile() throws {
        #expect(try code(.init(rows: 40, columns: 40, distinctTiles: 1)) == .overLimit)
    }

    @Test("a grid beyond what an int of the decoder holds is refused", arguments: [(32_767, 32_767), (65_501, 100)])
    func hugeGrid(_ width: Int, _ height: Int) throws {
        #expect(try code(.init(rows: 2, columns: 2, size: (width, height))) == .overLimit)
    }

    @Test("a grid that its tiles do not cover is refused, and one with tiles outside", arguments: [129, 64])
    func uncoveredGrid(_ side: Int) throws {
        #expect(try code(.init(rows: 2, columns: 2, size: (side, 128))) == .damaged)
    }

    @Test("a file that uses its bytes again and again is refused")
    func repeatedBytes() throws {
        #expect(try code(.init(extraItems: 100, extraPieces: 30)) == .overLimit)
    }

    @Test("more items, pieces or references than any phone writes are refused")
    func manyItems() throws {
        #expect(try code(.init(extraItems: 5_000, extraPieces: 1)) == .overLimit)
        #expect(try code(.init(extraItems: 1_000, extraPieces: 30)) == .overLimit)
    }

    @Test("pictures that are not as large as their parameters say are refused")
    func contradictingSizes() throws {
        #expect(try code(.init(rows: 2, columns: 2, declaredTile: (128, 128))) == .damaged)
        #expect(try code(.init(rows: 2, columns: 2, declaredTile: (4_096, 64))) == .damaged)
    }

    @Test("more parameters or properties than any encoder writes are refused")
    func manyParameters() throws {
        #expect(try code(.init(rows: 2, columns: 2, parameterPadding: 20_000)) == .overLimit)
        #expect(try code(.init(rows: 2, columns: 2, repeatedProperties: 70_000)) == .overLimit)
    }

    @Test("items that are made of each other are refused")
    func circle() throws {
        #expect(try code(.init(rows: 2, columns: 2, placing: .circle)) == .damaged)
    }

    @Test("every beginning of a photo in tiles is refused, and no flipped byte stops the gate")
    func tiledPhoto() throws {
        let builder = try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
        let file = builder.file(
            .init(rows: 2, columns: 3, exif: 6, profile: Crafting.profile(), colours: (12, 6, true), placing: .item))
        for length in 0..<file.count {
            // A JPEG without its end may be whole but for that: its decoder finds out.
            if case .plain(let clean, _) = try? Survey(file.prefix(length), PictureLimits()), clean.coding == .mended {
                continue
            }
            #expect(throws: MediaError.self, "\(length) bytes") { try Survey(file.prefix(length), PictureLimits()) }
        }
        var random = SplitMix(state: 11)
        for _ in 0..<2_000 {
            let broken = Self.flipped(file, within: 0..<2_500, &random)
            do { _ = try Survey(broken[...], PictureLimits()) } catch { #expect(!error.detail.isEmpty) }
        }
    }

    @Test("flipped bytes in the tiles of a photo end in a picture or a reason", arguments: 0..<4)
    func tileFlips(_ seed: UInt64) async throws {
        let builder = try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
        let file = builder.file(.init(rows: 2, columns: 3, exif: 6))
        var random = SplitMix(state: seed)
        for _ in 0..<12 {
            do {
                let picture = try await Workshop.convert(Self.flipped(file, within: 600..<file.count, &random))
                #expect(picture.shape.width > 0)
            } catch let error as MediaError {
                #expect(!error.detail.isEmpty && !error.isTransient, "\(error)")
            }
        }
    }

    private static func flipped(_ file: [UInt8], within range: Range<Int>, _ random: inout SplitMix) -> [UInt8] {
        var broken = file
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let position = Int.random(in: range.clamped(to: file.indices), using: &random)
            broken[position] = UInt8.random(in: 0...255, using: &random)
        }
        return broken
    }

    @Test("boxes in boxes in boxes are refused")
    func nesting() throws {
        var box: [UInt8] = []
        for _ in 0..<20 { box = UInt32(box.count + 8).bigEndianBytes + Array("iprp".utf8) + box }
        var file = try builder().file(.init())
        let meta = UInt32(box.count + 12).bigEndianBytes + Array("meta".utf8) + [0, 0, 0, 0] + box
        file.insert(contentsOf: meta, at: 24)
        #expect(throws: MediaError.self) { try HEIFFile(file[...], type: .heic) }
    }

    @Test("a JPEG with more scans than the limit is refused")
    func manyScans() throws {
        let file = try Workshop.fixture("corners-progressive.jpg")
        var limits = PictureLimits()
        limits.scans = 3
        #expect(throws: MediaError.self) { try JPEGCleaner.clean(file[...], adding: [], limits: limits) }
    }

    @Test("a PNG with a second header, which could name another size, is refused")
    func twoHeaders() throws {
        let file = try Workshop.fixture("corners.png")
        let header = Array(file[16..<29])
        let error = #expect(throws: MediaError.self) {
            try PNGCleaner.clean(Crafting.png(file, adding: "IHDR", header)[...], adding: [], limits: PictureLimits())
        }
        #expect(error?.code == .damaged)
    }

    @Test("a JPEG with more segments than any program writes is refused")
    func manySegments() throws {
        let comments = [[UInt8]](repeating: Crafting.segment(0xFE, []), count: 10_001)
        let file = Crafting.jpeg(try Workshop.fixture("corners.jpg"), adding: comments)
        let error = #expect(throws: MediaError.self) {
            try JPEGCleaner.clean(file[...], adding: [], limits: PictureLimits())
        }
        #expect(error?.code == .overLimit)
    }

    @Test("an animation with too many frames is refused", arguments: ["animated.gif", "animated.png", "animated.webp"])
    func manyFrames(_ name: String) throws {
        var limits = PictureLimits()
        limits.frames = 1
        let file = try Workshop.fixture(name)
        let error = #expect(throws: MediaError.self) { try Survey(file[...], limits) }
        #expect(error?.code == .overLimit)
    }

    @Test(
        "no beginning of a file stops the gate, and none but the whole file is a picture",
        arguments: ["corners.jpg", "corners.png", "corners.webp", "corners.heic", "corners.avif", "alpha.heic"])
    func prefixes(_ name: String) throws {
        let file = try Workshop.fixture(name)
        for length in 0..<file.count {
            // A JPEG without its end may be whole but for that: its decoder finds out.
            if case .plain(let clean, _) = try? Survey(file.prefix(length), PictureLimits()), clean.coding == .mended {
                continue
            }
            #expect(throws: MediaError.self, "\(length) bytes") { try Survey(file.prefix(length), PictureLimits()) }
        }
    }

    @Test("every beginning of a GIF ends in a picture or a reason")
    func gifPrefixes() throws {
        let file = try Workshop.fixture("animated.gif")
        var accepted = 0
        for length in 0...file.count where (try? Survey(file.prefix(length), PictureLimits())) != nil { accepted += 1 }
        // The whole file, and the three places between whole blocks after the first frame: only the trailer is missing.
        #expect(accepted == 4)
    }

    @Test(
        "flipped bytes end in a picture or a reason, and the decoders go on",
        arguments: [
            "corners-odd.jpg", "corners.png", "animated.gif", "corners.webp", "animated.webp", "alpha.heic",
            "corners.avif", "photo.heic",
        ])
    func flips(_ name: String) async throws {
        let file = try Workshop.fixture(name)
        var random = SplitMix(state: 7)
        for _ in 0..<25 {
            // The first kilobytes hold the structure, which is the more interesting part.
            let broken = Self.flipped(file, within: 0..<3_000, &random)
            do {
                let picture = try await Workshop.convert(broken)
                #expect(picture.shape.width > 0 && !picture.actions.isEmpty)
            } catch let error as MediaError {
                #expect(!error.detail.isEmpty && !error.isTransient, "\(error)")
            }
        }
        // Still there:
        _ = try await Workshop.convert(Workshop.fixture("corners.png"))
    }
}

/// A small random number generator, so that a failure comes again.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
