import DecoderProtocol
import PinpostCore
import Testing

@testable import Decoding
@testable import Media

@Suite("Routes of a HEIC", .timeLimit(.minutes(10)))
struct RouteTests {
    private func builder() throws -> HEIFBuilder {
        try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
    }

    private func route(_ plan: HEIFBuilder.Plan) throws -> HEIFFile.Route {
        try HEIFFile(builder().file(plan)[...], type: .heic).route
    }

    private func isStraight(_ plan: HEIFBuilder.Plan) throws -> Bool {
        if case .tiles = try route(plan) { true } else { false }
    }

    @Test("a photo goes straight from its tiles, also when one item holds all of them")
    func straight() throws {
        #expect(try isStraight(.init(rows: 2, columns: 3, exif: 6, profile: Crafting.profile())))
        #expect(try isStraight(.init(rows: 2, columns: 3, placing: .item)))
        #expect(try isStraight(.init(rows: 2, columns: 3, colours: (12, 6, true))))
        #expect(try isStraight(.init(rows: 2, columns: 3, colours: (1, 2, false))))
        #expect(try isStraight(.init(rows: 2, columns: 3, size: (191, 127))))
    }

    @Test("what a JPEG cannot hold as it is goes through libheif")
    func library() throws {
        #expect(try !isStraight(.init(rows: 2, columns: 3, colours: (1, 1, true))))
        #expect(try !isStraight(.init(rows: 2, columns: 3, colours: (9, 9, true))))
        #expect(try !isStraight(.init(rows: 2, columns: 3, isCropped: true)))
        #expect(try !isStraight(.init(rows: 2, columns: 3, placing: .pieces)))
        for name in ["alpha.heic", "speck.heic"] {
            guard case .libheif = try HEIFFile(Workshop.fixture(name)[...], type: .heic).route else {
                Issue.record("\(name) has an alpha plane")
                continue
            }
        }
    }

    @Test("odd sizes are turned by libheif where chroma would be shifted, and only there")
    func odd() throws {
        #expect(try !isStraight(.init(rows: 2, columns: 3, size: (191, 128), exif: 2)))
        #expect(try isStraight(.init(rows: 2, columns: 3, size: (191, 128), exif: 4)))
        #expect(try !isStraight(.init(rows: 2, columns: 3, size: (192, 127), exif: 6)))
        #expect(try isStraight(.init(rows: 2, columns: 3, size: (191, 128), exif: 6)))
        #expect(try isStraight(.init(rows: 2, columns: 3, size: (191, 127), exif: 5)))
    }

    @Test("rotation and mirror of the container are put together in their order")
    func turns() throws {
        func turn(_ quarterTurns: UInt8?, _ mirror: UInt8?) throws -> Orientation {
            try HEIFFile(
                builder().file(.init(rows: 2, columns: 3, exif: 3, quarterTurns: quarterTurns, mirror: mirror))[...],
                type: .heic
            ).turn
        }
        #expect(try turn(nil, nil) == .down)
        #expect(try (0..<4).map { try turn($0, nil) } == [.up, .left, .down, .right])
        #expect(try (0..<2).map { try turn(nil, $0) } == [.downMirrored, .upMirrored])
        #expect(try turn(1, 1) == .rightMirrored)
        #expect(try turn(1, 0) == .leftMirrored)
    }

    @Test("an item that only turns another one is looked through")
    func identity() async throws {
        let file = try builder().file(.init(rows: 2, columns: 3, quarterTurns: 3, mirror: 1, identity: 2))
        let heif = try HEIFFile(file[...], type: .heic)
        guard case .tiles(let plan) = heif.route else {
            Issue.record("not a plain photo")
            return
        }
        #expect(plan.orientation == .right.followed(by: .upMirrored).followed(by: .down))
        #expect(try await Workshop.convert(file).shape == .init(type: .jpeg, width: 128, height: 192))
    }

    @Test(
        "both routes lead to the same picture", arguments: [nil, 1, 2, 3] as [UInt8?],
        [(nil, true), (nil, false), (0, true), (1, false)] as [(UInt8?, Bool)])
    func sameAsLibrary(_ quarterTurns: UInt8?, _ rest: (mirror: UInt8?, isFullRange: Bool)) async throws {
        let (mirror, isFullRange) = rest
        let file = try builder().file(
            .init(
                rows: 2, columns: 3, size: (180, 120), exif: quarterTurns == nil && mirror == nil ? 5 : nil,
                quarterTurns: quarterTurns, mirror: mirror, colours: (1, 6, isFullRange)))
        guard case .tiles(let plan) = try HEIFFile(file[...], type: .heic).route else {
            Issue.record("not a plain photo")
            return
        }
        #expect(plan.isFullRange == isFullRange)
        let leftToExif: Orientation = quarterTurns == nil && mirror == nil ? .leftMirrored : .up
        let straight = try await pixels(.joinTiles(plan), file)
        let library = try await pixels(.convert(.heif, Finish(leftToExif)), file)
        #expect(straight.count == library.count)
        let differences = zip(straight, library).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) < 2 * differences.count)
    }

    private func pixels(_ job: Job, _ file: [UInt8]) async throws -> [UInt8] {
        let (output, jpeg) = try await Workshop.pool.perform(job, on: file[...])
        return try jpeg.withUnsafeBytes { bytes in
            let decoder = try JPEGDecoder()
            let raster = try decoder.pixels(InputBytes(bytes), decoder.header(InputBytes(bytes)))
            #expect((raster.width, raster.height) == (output.width, output.height))
            return raster.withBytes { base in
                Array(UnsafeBufferPointer(start: base, count: raster.stride * raster.height))
            }
        }
    }

    @Test("a picture above the limit is made smaller, and that is said")
    func reduction() async throws {
        let file = try builder().file(.init(rows: 2, columns: 3, size: (191, 127)))
        var limits = PictureLimits()
        limits.outputPixels = 96 * 64
        let halved = try await Workshop.convert(file, limits)
        #expect(halved.shape == .init(type: .jpeg, width: 95, height: 63))
        #expect(halved.original == .init(type: .heic, width: 191, height: 127))
        #expect(halved.actions == ["decoded heic", "scaled to 95 x 63"])
        limits.outputPixels = 150 * 100
        let twoThirds = try await Workshop.convert(file, limits)
        #expect(twoThirds.shape == .init(type: .jpeg, width: 150, height: 99))
        limits.outputPixels = .max
        let full = try await Workshop.convert(file, limits)
        limits.outputBytes = full.bytes.count - 1
        let smaller = try await Workshop.convert(file, limits)
        #expect(smaller.bytes.count < full.bytes.count && smaller.shape.width > 170)
    }

    @Test("what goes through libheif is made smaller too")
    func libraryReduction() async throws {
        let file = try builder().file(.init(rows: 2, columns: 3, colours: (1, 1, true)))
        var limits = PictureLimits()
        limits.outputPixels = 96 * 64
        let halved = try await Workshop.convert(file, limits)
        #expect(halved.shape == .init(type: .jpeg, width: 96, height: 64))
        #expect(halved.actions == ["decoded heic", "scaled to 96 x 64"])
    }

    @Test("colours that a file names by number get the profile of their name")
    func displayP3() async throws {
        let picture = try await Workshop.convert(builder().file(.init(rows: 2, columns: 3, colours: (12, 6, true))))
        #expect(picture.actions == ["decoded heic", "added icc profile"])
        let profile = try #require(ICCProfile.displayP3)
        #expect(picture.bytes.content.contains("ICC_PROFILE") && picture.bytes.content.contains("acsp"))
        #expect(profile.bytes.count < 600 && profile.bytes.count.isMultiple(of: 4))
        let both = HEIFBuilder.Plan(rows: 2, columns: 3, profile: Crafting.profile(), colours: (12, 6, true))
        #expect(try await Workshop.convert(builder().file(both)).actions == ["decoded heic", "kept icc profile"])
        let plain = HEIFBuilder.Plan(rows: 2, columns: 3, colours: (1, 6, true))
        #expect(try await Workshop.convert(builder().file(plain)).actions == ["decoded heic"])
    }

    @Test("a tile that is cut off is damage, not a grey square")
    func cutTile() async throws {
        let file = try builder().file(.init(rows: 2, columns: 3))
        guard case .tiles(let plan) = try HEIFFile(file[...], type: .heic).route else { return }
        for keep in [0, 3, 40, plan.tiles[4].length / 2, plan.tiles[4].length - 1] {
            var tiles = plan.tiles
            tiles[4] = .init(offset: tiles[4].offset, length: keep)
            let cut = TilePlan(
                size: plan.size, tileSize: plan.tileSize, columns: 3, tiles: tiles, lengthBytes: plan.lengthBytes,
                parameterSets: plan.parameterSets, isFullRange: true, finish: Finish())
            let error = await #expect(throws: MediaError.self) {
                try await Workshop.pool.perform(.joinTiles(cut), on: file[...])
            }
            #expect(error?.code == .damaged, "\(keep) bytes")
        }
    }

    @Test("a plan that contradicts itself or the file is an error of the decoder, not a crash")
    func contradictions() async throws {
        let file = try builder().file(.init(rows: 2, columns: 3))
        guard case .tiles(let plan) = try HEIFFile(file[...], type: .heic).route else { return }
        func broken(
            size: TilePlan.Size? = nil, tileSize: TilePlan.Size? = nil, columns: Int = 3, offset: Int = 0,
            lengthBytes: Int = 4, chroma: TilePlan.Chroma = .quarter, target: PictureSize? = nil
        ) -> TilePlan {
            TilePlan(
                size: size ?? plan.size, tileSize: tileSize ?? plan.tileSize, columns: columns,
                tiles: plan.tiles.map { .init(offset: $0.offset + offset, length: $0.length) },
                lengthBytes: lengthBytes, parameterSets: plan.parameterSets, chroma: chroma, isFullRange: true,
                finish: Finish(.up, size: target))
        }
        let plans = [
            broken(size: .init(width: 0, height: 128)), broken(size: .init(width: 193, height: 128)),
            broken(size: .init(width: 128, height: 128)), broken(columns: 0), broken(columns: 4), broken(columns: 6),
            broken(tileSize: .init(width: 96, height: 64)), broken(tileSize: .init(width: 65, height: 65)),
            broken(offset: file.count), broken(offset: 1 << 31), broken(lengthBytes: 3), broken(lengthBytes: 2),
            broken(target: .init(width: 0, height: 1)), broken(target: .init(width: 193, height: 128)),
            broken(chroma: .full), broken(chroma: .none),
        ]
        for plan in plans {
            let error = await #expect(throws: MediaError.self) {
                try await Workshop.pool.perform(.joinTiles(plan), on: file[...])
            }
            #expect(error?.isTransient == false && error?.detail.contains("crash") == false, "\(plan)")
        }
    }
}
