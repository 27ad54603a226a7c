import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

/// Files of phones and cameras that hold more than one picture.
@Suite("Special photos", .timeLimit(.minutes(10)))
struct SpecialPhotoTests {
    private let movie = Array("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom48.1372N 11.5755E".utf8)

    private func photo(_ segments: [[UInt8]] = []) throws -> [UInt8] {
        Crafting.jpeg(try Workshop.fixture("corners.jpg"), adding: segments)
    }

    @Test("a motion photo loses its movie")
    func motionPhoto() async throws {
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0<x GCamera:MotionPhoto='1'/>".utf8)
        let picture = try await Workshop.convert(photo([Crafting.segment(0xE1, xmp)]) + movie)
        #expect(picture.bytes.content == (try Workshop.fixture("corners.jpg")))
        #expect(picture.actions == ["removed xmp", "removed trailing data"])
    }

    @Test("a HEIC motion photo loses its movie, whether it is in a box or behind all of them")
    func motionHEIC() async throws {
        let still = try HEIFBuilder(tile: Workshop.fixture("tile.heic")).file(.init(rows: 2, columns: 3))
        let plain = try await Workshop.convert(still)
        let box = UInt32(movie.count + 8).bigEndianBytes + Array("mpvd".utf8) + movie
        #expect(try await Workshop.convert(still + box).bytes.content == plain.bytes.content)
        #expect(!plain.bytes.content.contains("48.1372N"))
    }

    @Test("Ultra HDR and MPF photos lose their second picture, and with it the place in its EXIF")
    func ultraHDR() async throws {
        let second = try photo([Crafting.exifSegment(1)])
        let index = Crafting.segment(0xE2, Array("MPF\0II*\0".utf8))
        let gainMap = Crafting.segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0])
        let picture = try await Workshop.convert(photo([index, gainMap]) + second)
        #expect(picture.bytes.content == (try Workshop.fixture("corners.jpg")))
        #expect(picture.actions == ["removed extra pictures", "removed application data", "removed trailing data"])
    }

    @Test("the movie of a Live Photo is refused as a video, its still is taken")
    func livePhoto() async throws {
        let error = try await Workshop.refusal(of: Array("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ".utf8) + movie)
        #expect(error.code == .unsupportedFormat && error.detail.contains("a video"))
        #expect(try await Workshop.convert(Workshop.fixture("photo.heic")).shape.type == .jpeg)
    }

    @Test("a burst in one HEIC gives its first picture, and says so")
    func burst() async throws {
        let file = try HEIFBuilder(tile: Workshop.fixture("tile.heic")).file(.init(distinctTiles: 4))
        #expect(try await Workshop.convert(file).actions == ["decoded heic", "took 1 of 4 pictures"])
    }

    @Test("a HEIC sequence without a still is refused with a reason")
    func sequence() async throws {
        let brands = Array("\0\0\0\u{18}ftypmsf1\0\0\0\0msf1hevc".utf8)
        let error = try await Workshop.refusal(of: brands + Array("\0\0\0\u{10}moov\0\0\0\u{8}trak".utf8))
        #expect(error.code == .unsupportedFormat && error.detail.contains("Send a photo"))
    }

    @Test("an AVIF sequence gives its still picture")
    func sequenceAVIF() async throws {
        var file = try Workshop.fixture("corners.avif")
        // Major brand and compatible brands as a sequence has them: libheif 1.15 looks for `avif` alone.
        let text = Array("avif".utf8)
        for place in file.indices.prefix(64).filter({ file[$0...].starts(with: text) }) {
            file.replaceSubrange(place..<place + 4, with: Array("avis".utf8))
        }
        let other = try #require(file.indices.prefix(64).first { file[$0...].starts(with: "mif1".utf8) })
        file.replaceSubrange(other..<other + 4, with: Array("msf1".utf8))
        #expect(try Corners(of: try await Workshop.convert(file)) == .upright(.up))
    }

    @Test("animations stay what they are", arguments: ["animated.png", "animated.gif", "animated.webp"])
    func animations(_ name: String) async throws {
        let picture = try await Workshop.convert(Workshop.fixture(name))
        let file = try Survey(picture.bytes.content[...], PictureLimits())
        guard case .plain(let clean, _) = file else { return #expect(Bool(false), "it became something else") }
        #expect(clean.isAnimated)
    }

    /// A RAW file of no special kind: some header, an EXIF structure, a thumbnail and a larger picture between noise.
    private func raw(_ start: [UInt8], previews: [[UInt8]]) -> [UInt8] {
        var noise = start
        for (index, preview) in previews.enumerated() {
            noise += (0..<3_000).map { UInt8(truncatingIfNeeded: ($0 &* 7_919 + index) >> 3) }
            // What looks like a JPEG and is none.
            noise += [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 3, 4] + preview
        }
        return noise + [UInt8](repeating: 0xAB, count: 500)
    }

    private static let large = Result { try JPEGKindTests.plain(width: 640, height: 400) }

    private static let starts: [String: [UInt8]] = [
        "RAF": Array("FUJIFILMCCD-RAW 0201".utf8), "RW2": Array("IIU\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "ORF": Array("IIRO".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        "CR3": Array("\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom".utf8),
        "DNG": PixelFiles.tiff([254: [0], 50706: [1]], strip: [1]),
        "NEF": PixelFiles.tiff([254: [1], 256: [160], 257: [120]], strip: [1]),
        "PEF": PixelFiles.tiff([256: [6000], 257: [4000], 262: [32803]], strip: [1]),
        "CR2": Array("II*\0".utf8) + [16, 0, 0, 0] + Array("CR\u{2}\0".utf8) + [UInt8](repeating: 0, count: 30),
    ]

    @Test("of a camera RAW file the largest developed picture is taken", arguments: starts.keys.sorted())
    func rawPreview(_ kind: String) async throws {
        let small = try Workshop.fixture("corners.jpg")
        let large = try Self.large.get()
        let picture = try await Workshop.convert(raw(try #require(Self.starts[kind]), previews: [small, large, small]))
        #expect(picture.bytes.content == large, "\(kind)")
        #expect(picture.actions == ["took preview of raw"])
        let error = try await Workshop.refusal(of: raw(try #require(Self.starts[kind]), previews: [small]))
        #expect(error.code == .unsupportedFormat && error.detail.contains("RAW"), "\(kind): \(error)")
    }

    @Test("the picture of a RAW file is turned as the RAW file says, and keeps nothing of it")
    func rawOrientation() async throws {
        let start = PixelFiles.tiff([254: [0], 274: [6], 50706: [1]], strip: [1])
        let large = try Self.large.get()
        let picture = try await Workshop.convert(raw(start, previews: [large]))
        #expect(picture.shape == .init(type: .jpeg, width: 400, height: 640))
        #expect(picture.actions == ["took preview of raw", "rotated 90"])
        #expect(try Corners(of: picture) == .upright(.right))
        // What the preview itself says counts first.
        let own = Array(large.prefix(2)) + Crafting.exifSegment(3) + large.dropFirst(2)
        #expect(try await Workshop.convert(raw(start, previews: [own])).shape.width == 640)
    }

    @Test("a file full of beginnings of JPEGs is read in bounded time")
    func beginnings() {
        let bytes = [UInt8]((0..<200_000).flatMap { _ -> [UInt8] in [0xFF, 0xD8, 0xFF, 0xE0, 0, 2] })
        #expect(EmbeddedJPEGs.find(in: bytes[...]).isEmpty)
    }
}
