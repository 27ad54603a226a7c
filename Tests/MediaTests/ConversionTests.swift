import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

@Suite("Conversion", .timeLimit(.minutes(10)))
struct ConversionTests {
    @Test("a HEIC photo becomes an upright JPEG without its place and with its colours")
    func photo() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("photo.heic"))
        #expect(picture.original == .init(type: .heic, width: 1600, height: 1200))
        #expect(picture.shape == .init(type: .jpeg, width: 1200, height: 1600))
        #expect(
            picture.actions == ["decoded heic", "rotated 90", "removed exif", "removed gps", "kept icc profile"])
        let bytes = picture.bytes.content
        #expect(bytes.contains("Pinpost P3"))
        #expect(!bytes.contains("Exif") && !bytes.contains("test camera"))
    }

    @Test("an AVIF becomes a JPEG")
    func avif() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("corners.avif"))
        #expect(try Corners(of: picture) == .upright(.up))
        #expect(picture.actions == ["decoded avif"])
    }

    @Test("a HEIC that is really transparent becomes a PNG")
    func transparent() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("alpha.heic"))
        #expect(picture.shape == .init(type: .png, width: 64, height: 48))
        #expect(picture.actions == ["decoded heic", "kept transparency"])
    }

    @Test("a HEIC with one transparent pixel becomes a JPEG on white")
    func speck() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("speck.heic"))
        #expect(picture.shape == .init(type: .jpeg, width: 64, height: 48))
        #expect(picture.actions == ["decoded heic", "laid on white"])
    }

    @Test("a grid whose EXIF points at two pictures is read as if it pointed at one, as iOS 18 writes it")
    func toneMap() async throws {
        let builder = try HEIFBuilder(tile: Workshop.fixture("tile.heic"))
        let strange = try await Workshop.convert(builder.file(.init(rows: 2, columns: 3, exif: 6, hasToneMap: true)))
        let plain = try await Workshop.convert(builder.file(.init(rows: 2, columns: 3, exif: 6)))
        #expect(strange.bytes.content == plain.bytes.content)
        #expect(strange.shape == .init(type: .jpeg, width: 128, height: 192))
    }

    @Test("of several pictures in one file the primary one is taken, and that is said")
    func severalPictures() async throws {
        let builder = try HEIFBuilder(tile: Workshop.fixture("tile.heic"))
        let picture = try await Workshop.convert(builder.file(.init(distinctTiles: 3)))
        #expect(picture.actions == ["decoded heic", "took 1 of 3 pictures"])
    }

    @Test("a padded profile is cut to its own length")
    func paddedProfile() async throws {
        let builder = try HEIFBuilder(tile: Workshop.fixture("tile.heic"))
        let picture = try await Workshop.convert(builder.file(.init(profile: Crafting.profile(400) + [1, 2])))
        let clean = try JPEGCleaner.clean(picture.bytes.content[...], adding: [], limits: PictureLimits())
        #expect(clean.profile.map(\.count) == [400 + 18])
    }

    @Test("a large profile is split over several segments")
    func largeProfile() throws {
        let profile = try #require(ICCProfile(Crafting.profile(140_000)[...]))
        let segments = JPEGProfile.segments(profile)
        #expect(segments.map(\.count) == [65_519 + 18, 65_519 + 18, 140_000 - 2 * 65_519 + 18])
        #expect(segments.flatMap { $0.dropFirst(18) } == profile.bytes)
    }

    @Test(
        "a picture without metadata passes byte for byte",
        arguments: ["corners.jpg", "corners.png", "corners.webp", "animated.png", "animated.webp"])
    func unchanged(_ name: String) async throws {
        let file = try Workshop.fixture(name)
        let picture = try await Workshop.convert(file)
        #expect(picture.bytes.content == file)
        #expect(picture.actions == ["passed unchanged"])
        #expect(picture.shape == picture.original)
    }

    @Test("a GIF keeps its loop and loses its comment")
    func gif() async throws {
        let picture = try await Workshop.convert(Workshop.fixture("animated.gif"))
        #expect(picture.bytes.content.contains("NETSCAPE2.0"))
        #expect(!picture.bytes.content.contains("home"))
        #expect(picture.actions == ["removed comment"])
        #expect(picture.shape == .init(type: .gif, width: 24, height: 16))
    }

    @Test("a JPEG loses everything that is not the picture")
    func jpeg() async throws {
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x>48.1372N</x>".utf8)
        let segments = [
            Crafting.exifSegment(1), Crafting.segment(0xE1, xmp), Crafting.segment(0xE2, Array("MPF\0more".utf8)),
            Crafting.segment(0xED, Array("Photoshop 3.0\0city".utf8)), Crafting.segment(0xFE, Array("my home".utf8)),
            Crafting.segment(0xE5, Array("maker".utf8)),
        ]
        let plain = try Workshop.fixture("corners.jpg")
        let file = Crafting.jpeg(plain, adding: segments) + Array("second picture with 48.1372N".utf8)
        let picture = try await Workshop.convert(file)
        #expect(picture.bytes.content == plain)
        let removed = ["exif", "gps", "xmp", "extra pictures", "iptc", "comment", "application data", "trailing data"]
        #expect(picture.actions == removed.map { "removed \($0)" })
    }

    @Test("a PNG loses text and dates and keeps its animation")
    func png() async throws {
        var file = try Workshop.fixture("animated.png")
        file = Crafting.png(file, adding: "tEXt", Array("Comment\0at home".utf8))
        file = Crafting.png(file, adding: "tIME", [7, 0xEA, 1, 1, 1, 1, 1])
        let picture = try await Workshop.convert(file)
        #expect(picture.bytes.content == (try Workshop.fixture("animated.png")))
        #expect(picture.actions == ["removed tIME chunk", "removed text"])
    }

    @Test("an animated WebP loses EXIF and XMP, and its header no longer announces them")
    func webP() async throws {
        let plain = try Workshop.fixture("animated.webp")
        let extra =
            Crafting.riffChunk("EXIF", Crafting.exif(orientation: 6))
            + Crafting.riffChunk("XMP ", Array("<x>48.1372N</x>".utf8))
        var file = plain + extra
        file.replaceSubrange(4..<8, with: UInt32(file.count - 8).littleEndianBytes)
        file[20] |= 0x0C
        let picture = try await Workshop.convert(file)
        #expect(picture.bytes.content == plain)
        #expect(picture.actions == ["removed exif", "removed gps", "removed xmp"])
    }

    @Test("the same card comes out the same")
    func card() async throws {
        let text = CardText(domain: "example.org", title: "A page, 日本, عربي", url: "https://example.org/page")
        let first = try await Workshop.converter.card(text)
        #expect(first.shape == .init(type: .png, width: 1200, height: 900))
        #expect(first.original == nil)
        #expect(try await Workshop.converter.card(text).bytes == first.bytes)
        // An icon is drawn, the same each time; what is none, or too small, is left out.
        var adorned = text
        for name in ["corners.png", "corners.jpg", "corners-grey.jpg"] {
            adorned.icon = try Workshop.fixture(name)
            let icon = try await Workshop.converter.card(adorned)
            #expect(icon.bytes != first.bytes)
            #expect(try await Workshop.converter.card(adorned).bytes == icon.bytes)
        }
        let small = try Workshop.fixture("animated.png")
        for useless in [Array(adorned.icon.prefix(60)), small, [0xFF, 0xD8, 0xFF, 0xE0], [7]] {
            adorned.icon = useless
            #expect(try await Workshop.converter.card(adorned).bytes == first.bytes)
        }
        let other = CardText(domain: String(repeating: "very-long-", count: 30) + "example.org", title: "", url: "")
        #expect(try await Workshop.converter.card(other).bytes != first.bytes)
    }
}
