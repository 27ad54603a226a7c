import DecoderProtocol
import PinpostCore
import Testing

@testable import Media

/// Pictures that are never in memory as a whole.
@Suite("Piece by piece", .timeLimit(.minutes(10)))
struct PieceByPieceTests {
    private func file(_ bytes: [UInt8]) throws -> OwnedDescriptor {
        let file = try OwnedDescriptor.memoryFile()
        try file.fill(bytes[...])
        return file
    }

    private func contents(of source: PictureSource) throws -> [UInt8] {
        let target = try OwnedDescriptor.memoryFile()
        try source.copy(to: target)
        return try #require(target.contents(0..<source.count))
    }

    @Test("a picture in a file is what it is in memory, patches included")
    func source() throws {
        let bytes = try Workshop.fixture("photo.heic")
        let patch = PictureSource.Patch(position: 100, bytes: [1, 2, 3])
        for source in [PictureSource(bytes[...]), PictureSource(try file(bytes), count: bytes.count)] {
            #expect(Array(try source.bytes(40..<90)) == Array(bytes[40..<90]))
            #expect(Array(try source.bytes(bytes.count - 3..<bytes.count + 9)) == bytes.suffix(3))
            #expect(try contents(of: source) == bytes)
            let patched = try contents(of: source.patched([patch]))
            #expect(patched[99...103].elementsEqual([bytes[99], 1, 2, 3, bytes[103]]))
        }
        #expect(throws: Malformed.self) { try PictureSource(file([1, 2]), count: 3).bytes(0..<3) }
        #expect(throws: MediaError.self) { try contents(of: PictureSource(file([1, 2]), count: 3)) }
    }

    @Test("a HEIC in a file converts as it does in memory", arguments: ["photo.heic", "speck.heic"])
    func heic(_ name: String) async throws {
        let bytes = try Workshop.fixture(name)
        let (inFile, inMemory) = (PictureSource(try file(bytes), count: bytes.count), PictureSource(bytes[...]))
        let (one, other) = (try HEIFFile(inFile, type: .heic), try HEIFFile(inMemory, type: .heic))
        #expect(one.turn == other.turn && one.exif == other.exif && one.profile == other.profile)
        for heif in [one, other] {
            let job: Job =
                switch heif.route {
                case .tiles(let plan): .joinTiles(plan)
                case .libheif(let turn): .convert(.heif, Finish(turn))
                }
            let (output, written) = try await Workshop.pool.perform(job, on: heif.source)
            #expect(output.byteCount > 500 && written.contents(0..<output.byteCount) != nil)
        }
    }

    private func taken(_ bytes: [UInt8], width: Int = 96, height: Int = 64) throws -> [UInt8] {
        var copy: [UInt8] = []
        let output = Output(codec: .jpeg, width: width, height: height, byteCount: bytes.count)
        try DecodedJPEG(file(bytes), output).copy(adding: []) { copy += $0 }
        return copy
    }

    @Test("what a decoder wrote is taken over byte by byte, with the profile in it")
    func taking() throws {
        let jpeg = try Workshop.fixture("corners.jpg")
        #expect(try taken(jpeg) == jpeg)
        let profile = JPEGProfile.segments(try #require(ICCProfile(Crafting.profile()[...])))
        var copy: [UInt8] = []
        let output = Output(codec: .jpeg, width: 96, height: 64, byteCount: jpeg.count)
        try DecodedJPEG(file(jpeg), output).copy(adding: profile) { copy += $0 }
        #expect(copy == Array(jpeg[..<20]) + Array(profile.joined()) + Array(jpeg[20...]))
    }

    @Test("what a decoder that was taken over might write is refused")
    func strangeOutput() throws {
        let jpeg = try Workshop.fixture("corners.jpg")
        let progressive = try Workshop.fixture("corners-progressive.jpg")
        let strange: [[UInt8]] = [
            [], [0xFF, 0xD8], Array(jpeg.dropLast()), Array(jpeg.dropLast(2)), jpeg + [0], jpeg + jpeg, progressive,
            Crafting.jpeg(jpeg, adding: [Crafting.exifSegment(6)]),
            Crafting.jpeg(jpeg, adding: [Crafting.segment(0xFE, Array("hello".utf8))]),
            jpeg.dropLast(20) + [0xFF, 0xE1, 0, 2] + jpeg.suffix(20), jpeg.dropLast(2) + [0xFF, 0xFF, 0xD9],
            [UInt8](repeating: 0xFF, count: 5_000), Array("<html></html>".utf8),
        ]
        for bytes in strange {
            let error = #expect(throws: MediaError.self, "\(bytes.count) bytes") { try taken(bytes) }
            #expect(error?.code == .decoderFailed)
        }
        #expect(throws: MediaError.self) { try taken(jpeg, width: 97) }
        #expect(throws: MediaError.self) { try taken(jpeg, height: 63) }
    }
}
