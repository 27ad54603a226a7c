import PinpostCore
import Testing

@testable import Media

@Suite("Reports about pictures")
struct ReportTests {
    private func report(_ name: String, _ limits: PictureLimits = PictureLimits()) throws -> PictureReport {
        PictureReport(try Workshop.fixture(name), limits: limits)
    }

    private func planned(_ report: PictureReport) -> PictureReport.Plan? {
        if case .taken(let plan) = report.verdict { plan } else { nil }
    }

    @Test(
        "what a picture says of itself is told",
        arguments: [
            ("corners.jpg", 96, 64, 8, "4:2:0", 1), ("corners-422.jpg", 90, 62, 8, "4:2:2", 1),
            ("corners-grey.jpg", 90, 62, 8, "grey", 1), ("corners.png", 48, 32, 8, "rgb", 1),
            ("animated.png", 24, 16, 8, "rgb", 2), ("animated.gif", 24, 16, 8, "palette", 2),
            ("corners.webp", 96, 64, 8, "4:2:0", 1), ("corners-lossless.webp", 96, 64, 8, "rgb", 1),
            ("photo.heic", 1600, 1200, 8, "4:2:0", 1),
        ])
    func facts(_ name: String, _ width: Int, _ height: Int, _ bits: Int, _ sampling: String, _ frames: Int) throws {
        let facts = try #require(try report(name).facts)
        #expect(facts.size == .init(width: width, height: height) && facts.bits == bits && facts.frames == frames)
        #expect(facts.sampling?.rawValue == sampling)
    }

    @Test("formats that are read only tell their size, their turn and their profile")
    func foreign() throws {
        let bitmap = try #require(PictureReport(PixelFiles.bitmap(37, 22, bits: 8, isTopDown: true)).facts)
        #expect(bitmap.size == .init(width: 37, height: 22))
        let strip = [UInt8](repeating: 9, count: 3 * 40 * 24)
        let page = PixelFiles.page(40, 24).merging([274: [6]]) { $1 }
        let file = PixelFiles.tiff(page, strip: strip, profile: Crafting.profile())
        let tiff = try #require(PictureReport(file).facts)
        #expect(tiff.size == .init(width: 40, height: 24) && tiff.orientationNumber == 6)
        #expect(tiff.colour.profileBytes == Crafting.profile().count)
        let plan = try #require(planned(PictureReport(file)))
        #expect(plan.treatment == .throughLibrary && plan.size == .init(width: 24, height: 40))
        #expect(plan.steps == ["decoded tiff", "rotated 90", "kept icc profile"])
        let raw = PictureReport(PixelFiles.tiff([254: [0], 50706: [1]], strip: [1]))
        #expect(raw.facts?.extras == ["raw data"])
        #expect(PictureReport.recognises(Array("FUJIFILMCCD-RAW 0201".utf8)))
    }

    @Test(
        "a report promises what a conversion then does",
        arguments: [
            "corners.jpg", "corners-progressive.jpg", "corners.png", "animated.gif", "corners.webp", "corners.heic",
            "photo.heic", "corners.avif", "tile.heic", "deep-10-422.heic", "mono.heic",
        ])
    func promises(_ name: String) async throws {
        let plan = try #require(planned(try report(name)))
        let picture = try await Workshop.convert(try Workshop.fixture(name))
        #expect(plan.steps == picture.actions)
        #expect(plan.type == picture.shape.type)
        #expect(plan.size == .init(width: picture.shape.width, height: picture.shape.height))
    }

    @Test("EXIF turns a JPEG, and its place, camera and extras are told")
    func jpegWithExif() throws {
        let xmp = Crafting.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0hdrgm:Version".utf8))
        let file = Crafting.jpeg(
            try Workshop.fixture("corners.jpg"),
            adding: [Crafting.exifSegment(6), xmp, Crafting.segment(0xE2, Array("MPF\0x".utf8))])
        let report = PictureReport(file)
        let facts = try #require(report.facts)
        #expect(facts.orientationNumber == 6 && facts.orientationOrigin == .exif)
        #expect(facts.exif?.hasGPS == true && facts.exif?.hasCamera == false)
        #expect(facts.extras == ["xmp", "gain map", "extra pictures"])
        let plan = try #require(planned(report))
        #expect(plan.treatment == .rotate && plan.size == .init(width: 64, height: 96))
        #expect(plan.steps.first == "rotated 90" && plan.steps.contains("removed gps"))
    }

    @Test("tiles, the profile and who says how a photo stands are told")
    func photo() throws {
        let builder = try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
        let file = builder.file(.init(rows: 2, columns: 3, exif: 6, profile: Crafting.profile()))
        let facts = try #require(PictureReport(file).facts)
        #expect(facts.tiles?.columns == 3 && facts.tiles?.rows == 2)
        #expect(facts.orientationOrigin == .exif && facts.orientationNumber == 6)
        #expect(facts.colour.profileName == "" && facts.colour.profileBytes == Crafting.profile().count)
        let photo = try #require(report("photo.heic").facts)
        #expect(photo.colour.profileName == "Pinpost P3" && photo.exif?.hasGPS == true && photo.exif?.hasCamera == true)
    }

    @Test("a container that says how a photo stands goes before its EXIF", .enabled(if: Workshop.hasSamples))
    func container() throws {
        let facts = try #require(PictureReport(try Workshop.sample("phone/classic-car.heic")).facts)
        #expect(facts.orientationOrigin == .container && facts.orientationNumber == 6)
        #expect(facts.colour.profileName == "Display P3" && facts.extras == ["gain map", "thumbnail", "xmp"])
    }

    @Test("a refused picture is still described, and the reason is the one of a conversion")
    func refused() async throws {
        var limits = PictureLimits()
        limits.pixels = 100
        let report = try report("corners.png", limits)
        #expect(report.facts?.size?.width == 48)
        guard case .refused(let error) = report.verdict else {
            Issue.record("a picture over the limit is taken")
            return
        }
        #expect(error.code == .overLimit)
        let converted = await #expect(throws: MediaError.self) {
            try await Workshop.convert(Workshop.fixture("corners.png"), limits)
        }
        #expect(converted == error)
    }

    @Test(
        "no beginning of a file stops a report",
        arguments: ["corners.jpg", "animated.png", "photo.heic", "corners.webp", "animated.gif"])
    func beginnings(_ name: String) throws {
        let file = try Workshop.fixture(name)
        for length in stride(from: 0, to: min(file.count, 3_000), by: 3) {
            _ = PictureReport(Array(file.prefix(length)))
        }
    }

    @Test(
        "pictures and what people mistake for them are recognised, texts are not",
        arguments: [("%PDF-1.7", true), ("PK\u{3}\u{4}", true), ("Subject: x", false), ("{}", false), ("", false)])
    func recognised(_ start: String, _ expected: Bool) {
        #expect(PictureReport.recognises(Array(start.utf8)) == expected)
    }

    @Test(
        "a format that is switched off is refused before anything is decoded",
        arguments: ["corners.heic", "corners.png"])
    func switchedOff(_ name: String) async throws {
        var limits = PictureLimits()
        limits.formats = [.jpeg]
        // No such decoder: asking for it would be another error.
        let pool = DecoderPool(DecoderExecutables(folder: "/nowhere"))
        let converter = SandboxedPictureConverter(pool, storingIn: MemoryBlobs(), limits: limits)
        let bytes = StoredBytes(try Workshop.fixture(name))
        let error = await #expect(throws: MediaError.self) { try await converter.convert(bytes) }
        #expect(error?.code == .unsupportedFormat && error?.detail.contains("PINPOST_DECODER_FORMATS") == true)
    }
}
