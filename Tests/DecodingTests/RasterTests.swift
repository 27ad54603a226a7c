import DecoderProtocol
import Testing

@testable import Decoding

@Suite("Raster")
struct RasterTests {
    /// 3 x 2 pixels named a to f in reading order.
    private func turned(_ orientation: Orientation, bytesPerPixel: Int) throws -> String {
        let pixels: [UInt8] = "abcdef".utf8.flatMap { [UInt8](repeating: $0, count: bytesPerPixel) }
        return try pixels.withUnsafeBytes { bytes -> String in
            let base = try #require(bytes.baseAddress)
            let view = RasterView(
                base: base, width: 3, height: 2, stride: 3 * bytesPerPixel, bytesPerPixel: bytesPerPixel)
            return try view.upright(orientation).withView { view in
                (0..<view.height).map { y in
                    String(
                        (0..<view.width).map { x in
                            Character(
                                Unicode.Scalar(
                                    view.base.load(fromByteOffset: y * view.stride + x * bytesPerPixel, as: UInt8.self))
                            )
                        })
                }
                .joined(separator: "/")
            }
        }
    }

    @Test("every orientation becomes upright, whatever a pixel is made of", arguments: 1...4)
    func orientations(_ bytesPerPixel: Int) throws {
        let results = try Orientation.allCases.map { try turned($0, bytesPerPixel: bytesPerPixel) }
        #expect(
            results == ["abc/def", "cba/fed", "fed/cba", "def/abc", "ad/be/cf", "da/eb/fc", "fc/eb/da", "cf/be/ad"])
    }

    private func reduced(
        _ values: [UInt8], width: Int, to size: PictureSize, bytesPerPixel: Int = 1
    ) throws -> [Int] {
        var pixels = values.flatMap { value in (0..<bytesPerPixel).map { UInt8(max(Int(value) - $0, 0)) } }
        return try pixels.withUnsafeMutableBytes { bytes -> [Int] in
            let view = RasterView(
                base: UnsafeRawPointer(try #require(bytes.baseAddress)), width: width, height: values.count / width,
                stride: width * bytesPerPixel, bytesPerPixel: bytesPerPixel)
            let smaller = try view.reducedInPlace(to: size)
            return (0..<smaller.height).flatMap { y in
                (0..<smaller.width * bytesPerPixel).map { x in
                    Int(smaller.base.load(fromByteOffset: y * smaller.stride + x, as: UInt8.self))
                }
            }
        }
    }

    @Test("a smaller picture is the mean of squares", arguments: 1...4)
    func halves(_ bytesPerPixel: Int) throws {
        let values: [UInt8] = [10, 20, 30, 30, 31, 50, 90, 101, 255, 255, 7, 4, 255, 255, 7, 5]
        let means = try reduced(values, width: 4, to: .init(width: 2, height: 2), bytesPerPixel: bytesPerPixel)
        let expected = [28, 63, 255, 6].flatMap { mean in (0..<bytesPerPixel).map { mean - $0 } }
        #expect(means == expected)
    }

    @Test("any factor is the mean of the areas, pixels at their edges in proportion")
    func fractions() throws {
        // Three columns become two: one and a half each.
        #expect(try reduced([0, 90, 240], width: 3, to: .init(width: 2, height: 1)) == [30, 190])
        #expect(try reduced([0, 90, 240], width: 1, to: .init(width: 1, height: 2)) == [30, 190])
        #expect(
            try reduced([7, 7, 7, 200, 200, 200], width: 3, to: .init(width: 3, height: 2)) == [7, 7, 7, 200, 200, 200])
        for width in [7, 31, 100] {
            let size = PictureSize(width: width * 5 / 7, height: 3)
            let levels = try reduced([UInt8](repeating: 255, count: width * 4), width: width, to: size)
            #expect(levels == [Int](repeating: 255, count: size.width * 3))
        }
    }

    @Test("areas agree with their definition", arguments: [(64, 41), (100, 99), (97, 13), (50, 1)])
    func definition(_ from: Int, _ to: Int) throws {
        let values = (0..<from * from).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) }
        let means = try reduced(values, width: from, to: .init(width: to, height: to))
        for y in 0..<to {
            for x in 0..<to {
                var sum = 0  // in units of 1 / to of a pixel, both ways
                for sourceY in y * from / to...((y + 1) * from - 1) / to {
                    for sourceX in x * from / to...((x + 1) * from - 1) / to {
                        let across = min((sourceX + 1) * to, (x + 1) * from) - max(sourceX * to, x * from)
                        let down = min((sourceY + 1) * to, (y + 1) * from) - max(sourceY * to, y * from)
                        sum += across * down * Int(values[sourceY * from + sourceX])
                    }
                }
                #expect(abs(Double(means[y * to + x]) - Double(sum) / Double(from * from)) <= 2)
            }
        }
    }

    @Test("a picture cannot be made larger")
    func larger() {
        #expect(throws: Failure.self) { try reduced([1, 2], width: 2, to: .init(width: 3, height: 1)) }
        #expect(throws: Failure.self) { try reduced([1, 2], width: 2, to: .init(width: 0, height: 1)) }
    }

    @Test("impossible sizes are an error, not a trap", arguments: [(0, 5), (5, -1), (Int.max, 2), (1 << 40, 1 << 40)])
    func impossible(_ width: Int, _ height: Int) {
        #expect(throws: Failure.self) { _ = try Raster(width: width, height: height, bytesPerPixel: 4) }
    }
}
