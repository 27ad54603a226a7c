import CTurboJPEG
import DecoderProtocol
import PinpostCore
import Testing

@testable import Decoding
@testable import Media

/// HEVC tiles to JPEG without libheif.
@Suite("The straight way", .timeLimit(.minutes(10)))
struct StraightWayTests {
    /// Two rows of three tiles of 64 x 64 pixels, no two alike.
    private func builder() throws -> HEIFBuilder {
        try HEIFBuilder(tiles: (1...6).map { try Workshop.fixture("piece-\($0).heic") })
    }

    private func tilePlan(_ file: [UInt8]) throws -> TilePlan? {
        guard case .tiles(let plan) = try HEIFFile(file[...], type: .heic).route else { return nil }
        return plan
    }

    private func straight(_ file: [UInt8]) async throws -> [UInt8] {
        let plan = try #require(try tilePlan(file))
        return try await Workshop.pool.perform(.joinTiles(plan), on: file[...]).bytes
    }

    /// The planes of all tiles, joined, turned and encoded as one picture, pixel by pixel and by the definition.
    private func whole(_ file: [UInt8]) throws -> [[UInt8]] {
        let plan = try #require(try tilePlan(file))
        let upright = plan.orientation.upright(width: plan.size.width, height: plan.size.height)
        let planes = try JPEGPlanes(width: upright.width, height: upright.height, subsampling: TJSAMP_420)
        for index in 0..<3 {
            let shift = index == 0 ? 0 : 1
            let (width, height) = ((plan.size.width + shift) >> shift, (plan.size.height + shift) >> shift)
            var samples = [UInt8](repeating: 0, count: width * height)
            for tile in plan.tiles.indices {
                let corner = (x: tile % plan.columns * 64 >> shift, y: tile / plan.columns * 64 >> shift)
                try file.withUnsafeBytes { bytes in
                    var decoder = try HEVCDecoder(parameterSets: plan.parameterSets, lengthBytes: plan.lengthBytes)
                    try decoder.withPicture(in: InputBytes(bytes).piece(plan.tiles[tile])) { (image) throws(Failure) in
                        let plane = try image.plane(index)
                        for y in 0..<min(plane.height, height - corner.y) {
                            for x in 0..<min(plane.width, width - corner.x) {
                                samples[(corner.y + y) * width + corner.x + x] = plane.base.load(
                                    fromByteOffset: y * plane.stride + x, as: UInt8.self)
                            }
                        }
                    }
                }
            }
            let turned = plan.orientation.swapsAxes ? height : width
            for (position, target) in positions(width, height, plan.orientation).enumerated() {
                planes.row(target / turned, of: index)?[target % turned] = samples[position]
            }
        }
        planes.padLuma(rows: 0..<upright.height)
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(
            capacity: Int(tjBufSize(CInt(upright.width), CInt(upright.height), CInt(TJSAMP_420.rawValue))))
        defer { buffer.deallocate() }
        let jpeg = try JPEGEncoder().encode(
            planes.pointers.map { UnsafePointer($0) }, strides: planes.strides, width: upright.width,
            height: upright.height, subsampling: TJSAMP_420, quality: 85, into: buffer)
        return try Self.planes(Array(jpeg))
    }

    /// Where each sample in reading order lands.
    private func positions(_ width: Int, _ height: Int, _ orientation: Orientation) -> [Int] {
        (0..<width * height).map { position in
            let (x, y) = (position % width, position / width)
            let (mirroredX, mirroredY) = (width - 1 - x, height - 1 - y)
            switch orientation {
            case .up: return y * width + x
            case .upMirrored: return y * width + mirroredX
            case .down: return mirroredY * width + mirroredX
            case .downMirrored: return mirroredY * width + x
            case .leftMirrored: return x * height + y
            case .right: return x * height + mirroredY
            case .rightMirrored: return mirroredX * height + mirroredY
            case .left: return mirroredX * height + y
            }
        }
    }

    private static func planes(_ jpeg: [UInt8]) throws -> [[UInt8]] {
        try jpeg.withUnsafeBytes { bytes in
            let decoder = try JPEGDecoder()
            let header = try decoder.header(InputBytes(bytes))
            try decoder.check(InputBytes(bytes), header)
            let planes = try decoder.planes(InputBytes(bytes), header)
            return (0..<3).map { index in
                let shift = index == 0 ? 0 : 1
                let (width, height) = ((header.width + shift) >> shift, (header.height + shift) >> shift)
                return (0..<height).flatMap { y in
                    (0..<width).map { x in planes.row(y, of: index)?[x] ?? 0 }
                }
            }
        }
    }

    @Test(
        "tiles that were joined, turned and encoded strip by strip are the very pixels of one whole picture",
        arguments: Orientation.allCases, [(192, 128), (190, 126), (130, 66)])
    func strips(_ orientation: Orientation, _ size: (width: Int, height: Int)) async throws {
        let file = try builder().file(
            .init(rows: 2, columns: 3, size: size, exif: orientation.rawValue))
        #expect(try await Self.planes(straight(file)) == whole(file))
    }

    @Test("a picture of one tile is taken in slices, with the same pixels", arguments: Orientation.allCases)
    func slices(_ orientation: Orientation) async throws {
        let file = try HEIFBuilder(tile: Workshop.fixture("photo.heic")).file(exif: orientation.rawValue)
        let picture = try await Self.planes(straight(file))
        let upright = try await Self.planes(straight(HEIFBuilder(tile: Workshop.fixture("photo.heic")).file()))
        let (width, height) = (1600, 1200)
        // A turn of the pixels is not quite a turn of the JPEG: blocks are quantised the other way round.
        var difference = 0
        let turned = orientation.swapsAxes ? height : width
        for (position, target) in positions(width, height, orientation).enumerated() where position % 97 == 0 {
            difference += abs(Int(upright[0][position]) - Int(picture[0][target / turned * turned + target % turned]))
        }
        #expect(difference < width * height / 97)
    }

    @Test("an odd picture keeps its last column and row", arguments: [(191, 127), (129, 65), (1, 1)])
    func odd(_ width: Int, _ height: Int) async throws {
        let builder = try builder()
        let (columns, rows) = ((width + 63) / 64, (height + 63) / 64)
        let file = builder.file(.init(rows: rows, columns: columns, size: (width, height)))
        #expect(try await Self.planes(straight(file)) == whole(file))
    }
}
