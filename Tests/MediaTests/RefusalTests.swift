import PinpostCore
import Testing

@testable import Media

@Suite("Refusals", .timeLimit(.minutes(10)))
struct RefusalTests {
    @Test(
        "a format that is not taken is named, with what to do",
        arguments: [
            ("%PDF-1.7", "PDF"), ("<svg xmlns='x'/>", "SVG"), ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", "video"),
            ("\0\0\0\u{14}ftypqt  \0\0\0\0qt  ", "video"), ("8BPS\0\u{1}", "Photoshop"),
            ("PK\u{3}\u{4}", "archive"), ("<!DOCTYPE html><p>", "web page"), ("hello", "no picture"),
            ("\0\0\0\u{18}ftypcrx \0\0\0\u{1}crx isom", "RAW"), ("FUJIFILMCCD-RAW 0201", "RAW"),
            ("\0\0\0\u{C}jP  \r\n", "JPEG 2000"), ("\u{C5}\u{D0}\u{D3}\u{C6}", "EPS"),
            ("%!PS-Adobe-3.0 EPSF-3.0", "PostScript"), ("\u{1A}E\u{DF}\u{A3}", "video"),
            ("RIFF\0\0\0\0AVI LIST", "video"),
        ])
    func unsupported(_ start: String, _ name: String) async throws {
        let error = try await Workshop.refusal(
            of: start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + [UInt8](repeating: 0, count: 64))
        #expect(error.code == .unsupportedFormat)
        #expect(error.detail.contains(name) && error.detail.contains("Send "))
    }

    @Test("an empty file is damaged")
    func empty() async throws {
        #expect(try await Workshop.refusal(of: []).code == .damaged)
    }

    @Test(
        "a JPEG that ends early is damaged, even with an end marker glued on",
        arguments: [[], [0xFF], [0xFF, 0xD9]] as [[UInt8]])
    func truncated(_ end: [UInt8]) async throws {
        let file = try Workshop.fixture("corners-odd.jpg")
        for length in [file.count * 9 / 10, file.count * 6 / 10] {
            #expect(try await Workshop.refusal(of: Array(file.prefix(length)) + end).code == .damaged)
        }
    }

    @Test("a GIF frame whose pixels end early is damaged")
    func incompleteGIF() async throws {
        var file = try Workshop.fixture("animated.gif")
        let frame = try #require(file.firstIndex(of: 0x2C))
        file[frame + 5] = 25  // a column more than there are pixels for
        let error = try await Workshop.refusal(of: file)
        #expect(error.code == .damaged && error.detail.contains("incomplete"))
    }

    @Test("an animated WebP with an unreadable frame is damaged")
    func unreadableFrame() async throws {
        var file = try Workshop.fixture("animated.webp")
        let frame = try #require(file.indices.dropLast(4).first { file[$0...].starts(with: "VP8L".utf8) })
        for index in frame + 14..<frame + 30 { file[index] = 0xFF }
        #expect(try await Workshop.refusal(of: file).code == .damaged)
    }

    @Test(
        "kinds of JPEG that no browser and no decoder here shows are refused",
        arguments: [0xC3, 0xC5, 0xCB, 0xF7] as [UInt8])
    func rareJPEG(_ marker: UInt8) async throws {
        var file = try Workshop.fixture("corners.jpg")
        let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file[frame + 1] = marker
        #expect(try await Workshop.refusal(of: file).code == .unsupportedFormat)
    }

    @Test("a file above the limit is not read")
    func largeFile() async throws {
        let bytes = StoredBytes(place: .inline([]), count: 26 << 20, sha256: [])
        let error = await #expect(throws: MediaError.self) { try await Workshop.converter.convert(bytes) }
        #expect(error?.code == .overLimit)
    }

    @Test("a strip that Pinry cannot show is refused, a tall one is taken")
    func flat() throws {
        let limits = PictureLimits()
        #expect(throws: MediaError.self) { try limits.checkShape(width: 241, height: 1) }
        try limits.checkShape(width: 240, height: 1)
        try limits.checkShape(width: 1, height: 5_000)
    }

    @Test("a PNG of 20,000 x 20,000 pixels is refused before it is decoded")
    func largePNG() async throws {
        let size = UInt32(20_000).bigEndianBytes
        var file = try Workshop.fixture("corners.png")
        file.replaceSubrange(8..<33, with: Crafting.chunk("IHDR", size + size + [1, 0, 0, 0, 0]))
        #expect(try await Workshop.refusal(of: file).code == .overLimit)
    }

    @Test("a store that fails is a reason to try again")
    func brokenStore() async throws {
        let bytes = StoredBytes(place: .spooled(Blob.ID("gone")), count: 10, sha256: [])
        let error = await #expect(throws: MediaError.self) { try await Workshop.converter.convert(bytes) }
        #expect(error?.isTransient == true)
    }
}
