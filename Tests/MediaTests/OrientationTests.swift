import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

@Suite("Orientation", .timeLimit(.minutes(10)))
struct OrientationTests {
    @Test(
        "a JPEG stands upright whatever its EXIF says, and keeps its profile", arguments: Orientation.allCases,
        ["corners.jpg", "corners-odd.jpg", "corners-progressive.jpg", "corners-422.jpg"])
    func jpeg(_ orientation: Orientation, _ name: String) async throws {
        let profile = JPEGProfile.segments(try #require(ICCProfile(Crafting.profile()[...]))).map(Array.init)
        let file = Crafting.jpeg(
            try Workshop.fixture(name), adding: [Crafting.exifSegment(orientation.rawValue)] + profile)
        let picture = try await Workshop.convert(file)
        #expect(try Corners(of: picture) == .upright(orientation))
        #expect(picture.bytes.content.contains("ICC_PROFILE"))
        #expect(!picture.bytes.content.contains("Exif") && !picture.bytes.content.contains("at home"))
        #expect(picture.actions.contains("removed gps"))
        #expect(picture.actions.contains(orientation.description) == (orientation != .up))
    }

    @Test("whole blocks are turned without loss, partial ones are encoded again")
    func lossless() async throws {
        let exact = Crafting.jpeg(try Workshop.fixture("corners.jpg"), adding: [Crafting.exifSegment(6)])
        #expect(try await !Workshop.convert(exact).actions.contains("encoded again"))
        let partial = Crafting.jpeg(try Workshop.fixture("corners-odd.jpg"), adding: [Crafting.exifSegment(6)])
        #expect(try await Workshop.convert(partial).actions.contains("encoded again"))
    }

    @Test("a grey JPEG is turned too")
    func grey() async throws {
        let file = Crafting.jpeg(try Workshop.fixture("corners-grey.jpg"), adding: [Crafting.exifSegment(8)])
        let picture = try await Workshop.convert(file)
        #expect(picture.shape == .init(type: .jpeg, width: 62, height: 90))
        #expect(picture.original == .init(type: .jpeg, width: 90, height: 62))
    }

    @Test("a PNG with EXIF stands upright and keeps its profile", arguments: Orientation.allCases)
    func png(_ orientation: Orientation) async throws {
        let profile = PNGProfile.chunk(try #require(ICCProfile(Crafting.profile()[...]))).flatMap { $0 }
        var file = Crafting.png(
            try Workshop.fixture("corners.png"), adding: "eXIf", Crafting.exif(orientation: orientation.rawValue))
        file = file.prefix(33) + profile + file.dropFirst(33)
        let picture = try await Workshop.convert(file)
        #expect(try Corners(of: picture) == .upright(orientation))
        #expect(picture.bytes.content.contains("iCCP") && !picture.bytes.content.contains("eXIf"))
    }

    @Test(
        "a WebP with EXIF stands upright and keeps its profile", arguments: Orientation.allCases,
        ["corners.webp", "corners-lossless.webp"])
    func webP(_ orientation: Orientation, _ name: String) async throws {
        let exif = Crafting.riffChunk("EXIF", Crafting.exif(orientation: orientation.rawValue))
        let file = Crafting.webP(
            try Workshop.fixture(name), width: 96, height: 64, flags: 0x28,
            adding: [Crafting.riffChunk("ICCP", Crafting.profile()), exif])
        let picture = try await Workshop.convert(file)
        #expect(try Corners(of: picture) == .upright(orientation))
        #expect(picture.bytes.content.contains("ICCP") && !picture.bytes.content.contains("EXIF"))
    }

    @Test("a HEIC without a turn in its container is turned by its EXIF", arguments: Orientation.allCases)
    func heicByExif(_ orientation: Orientation) async throws {
        let file = try HEIFBuilder(tile: Workshop.fixture("corners.heic")).file(exif: orientation.rawValue)
        let picture = try await Workshop.convert(file)
        #expect(try Corners(of: picture) == .upright(orientation))
        #expect(picture.original == .init(type: .heic, width: 96, height: 64))
    }

    @Test("a turn in the container of a HEIC wins over its EXIF", arguments: [(1, "GYRB"), (2, "YBGR"), (3, "BRYG")])
    func heicByContainer(_ quarterTurns: UInt8, _ letters: String) async throws {
        let builder = try HEIFBuilder(tile: Workshop.fixture("corners.heic"))
        let picture = try await Workshop.convert(builder.file(exif: 6, quarterTurns: quarterTurns))
        #expect(try Corners(of: picture) == Corners(letters: letters))
        #expect(picture.actions.filter { $0.hasPrefix("rotated") }.count == 1)
    }
}
