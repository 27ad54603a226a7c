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

    @Test("a smaller picture is the mean of squares, of fewer pixels at the edges", arguments: 1...4)
    func reduction(_ bytesPerPixel: Int) throws {
        let values: [UInt8] = [10, 20, 31, 30, 41, 50, 90, 100, 255]
        let pixels = values.flatMap { value in (0..<bytesPerPixel).map { UInt8(max(Int(value) - $0, 0)) } }
        let means = try pixels.withUnsafeBytes { bytes -> [Int] in
            let view = RasterView(
                base: try #require(bytes.baseAddress), width: 3, height: 3, stride: 3 * bytesPerPixel,
                bytesPerPixel: bytesPerPixel)
            return try view.reduced(by: 2).withView { view in
                (0..<view.height).flatMap { y in
                    (0..<view.width * bytesPerPixel).map { x in
                        Int(view.base.load(fromByteOffset: y * view.stride + x, as: UInt8.self))
                    }
                }
            }
        }
        let expected = [25, 41, 95, 255].flatMap { mean in (0..<bytesPerPixel).map { mean - $0 } }
        #expect(means == expected)
    }

    @Test("impossible sizes are an error, not a trap", arguments: [(0, 5), (5, -1), (Int.max, 2), (1 << 40, 1 << 40)])
    func impossible(_ width: Int, _ height: Int) {
        #expect(throws: Failure.self) { _ = try Raster(width: width, height: height, bytesPerPixel: 4) }
    }
}
