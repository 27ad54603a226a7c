import DecoderProtocol
import PinpostCore
import Testing

@testable import Decoding
@testable import Media

/// TIFF, BMP, ICO and JPEG XL: Pinry would show none of them, or show them wrong.
@Suite("Foreign formats", .timeLimit(.minutes(10)))
struct ForeignFormatTests {
    @Test("a bitmap of any depth becomes a PNG of the very pixels", arguments: [2, 4, 8, 16, 24, 32], [false, true])
    func bitmaps(_ bits: Int, _ isTopDown: Bool) async throws {
        let picture = try await Workshop.convert(
            PixelFiles.bitmap(37, 22, bits: bits, isTopDown: isTopDown))
        #expect(picture.shape == .init(type: .png, width: 37, height: 22))
        #expect(picture.original == .init(type: .bmp, width: 37, height: 22))
        #expect(picture.actions == ["decoded bmp"])
        #expect(try Corners(of: picture) == .upright(.up))
        #expect(try Self.first(picture).starts(with: bits == 16 ? [197, 25, 25] : [200, 30, 30]))
    }

    @Test("every header of a bitmap is read", arguments: [12, 40, 52, 56, 64, 108, 124])
    func headers(_ length: Int) async throws {
        let bits = length == 12 || length == 64 ? 24 : 32
        let masks: [UInt32] = bits == 24 ? [] : [0xFF, 0xFF00, 0xFF_0000]
        let file = PixelFiles.bitmap(
            20, 10, bits: bits, header: length, compression: bits == 24 ? 0 : 3, masks: masks)
        #expect(try Corners(of: try await Workshop.convert(file)) == .upright(.up))
    }

    @Test("alpha of a bitmap is kept where it means something")
    func bitmapAlpha() async throws {
        let masks: [UInt32] = [0xF000, 0xF00, 0xF0, 0xF]
        let opaque = try await Workshop.convert(
            PixelFiles.bitmap(20, 10, bits: 16, header: 56, compression: 3, masks: masks))
        #expect(opaque.actions == ["decoded bmp"])
        let empty = [UInt8](repeating: 0, count: 400)
        let clear = try await Workshop.convert(
            PixelFiles.bitmap(20, 10, bits: 16, header: 56, compression: 3, masks: masks, pixels: empty))
        #expect(clear.actions == ["decoded bmp"])
        let half = (0..<200).flatMap { index -> [UInt8] in [index.isMultiple(of: 2) ? 0xFF : 0xF0, 0xFF] }
        let kept = try await Workshop.convert(
            PixelFiles.bitmap(20, 10, bits: 16, header: 56, compression: 3, masks: masks, pixels: half))
        #expect(kept.actions == ["decoded bmp", "kept transparency"])
    }

    @Test("runs of colours are read, also past the edge and with moves")
    func runs() async throws {
        // Rows from the bottom: three of colour 2, a move, one literal row, an end; then what is outside is ignored.
        let eight: [UInt8] = [8, 2, 0, 0, 8, 2, 0, 0, 200, 2, 0, 2, 0, 1, 0, 0, 0, 4, 1, 1, 1, 1, 4, 0, 0, 1]
        let picture = try await Workshop.convert(PixelFiles.bitmap(8, 6, bits: 8, compression: 1, pixels: eight))
        #expect(picture.shape == .init(type: .png, width: 8, height: 6))
        let four: [UInt8] = [9, 0x23, 0, 0, 0, 5, 0x01, 0x23, 0x00, 0, 0, 0, 0, 1]
        #expect(
            try await Workshop.convert(PixelFiles.bitmap(8, 6, bits: 4, compression: 2, pixels: four)).shape.width == 8)
        let error = try await Workshop.refusal(
            of: PixelFiles.bitmap(8, 6, bits: 8, compression: 1, pixels: Array(eight.dropLast(2))))
        #expect(error.code == .damaged && error.detail.contains("too early"))
    }

    @Test("a bitmap that ends early, is too large or contradicts itself is refused")
    func badBitmaps() async throws {
        let file = PixelFiles.bitmap(37, 22, bits: 24)
        for length in [20, 53, 60, file.count - 4] {
            #expect(try await Workshop.refusal(of: Array(file.prefix(length))).code == .damaged, "\(length)")
        }
        #expect(
            try await Workshop.refusal(of: PixelFiles.bitmap(20_000, 20_000, bits: 8, pixels: [])).code == .overLimit)
        #expect(try await Workshop.refusal(of: PixelFiles.bitmap(8, 6, bits: 5, pixels: [])).code == .damaged)
        #expect(
            try await Workshop.refusal(of: PixelFiles.bitmap(8, 6, bits: 24, compression: 1)).code == .damaged)
        #expect(
            try await Workshop.refusal(of: PixelFiles.bitmap(8, 6, bits: 24, compression: 5)).code == .unsupportedFormat
        )
    }

    @Test("of an icon or cursor the largest picture is taken, with its mask", arguments: [false, true])
    func icons(_ isCursor: Bool) async throws {
        func picture(_ side: Int, bits: Int, mask: UInt8) -> (Int, Int, [UInt8]) {
            let palette =
                bits > 8
                ? []
                : PixelFiles.colors.flatMap { [$0.blue, $0.green, $0.red, 0] }
                    + [UInt8](repeating: 0, count: 12 * 4)
            let bytes =
                PixelFiles.information(side, 2 * side, bits, 40, 0) + palette
                + PixelFiles.packed(side, side, bits, [], false)
                + [UInt8](repeating: mask, count: (side + 31) / 32 * 4 * side)
            return (side, side, bytes)
        }
        let file = PixelFiles.icon(
            [picture(16, bits: 24, mask: 0), picture(48, bits: 4, mask: 0), picture(32, bits: 32, mask: 0)],
            isCursor: isCursor)
        let result = try await Workshop.convert(file)
        #expect(result.shape == .init(type: .png, width: 48, height: 48))
        #expect(result.actions == ["decoded ico", "took 1 of 3 pictures"])
        #expect(try Corners(of: result) == .upright(.up))
        let hidden = try await Workshop.convert(
            PixelFiles.icon([picture(32, bits: 24, mask: 0xFF)], isCursor: isCursor))
        #expect(hidden.actions == ["decoded ico", "kept transparency"])
        let png = try Workshop.fixture("corners.png")
        let passed = try await Workshop.convert(PixelFiles.icon([(48, 32, png)], isCursor: isCursor))
        #expect(passed.bytes.content == png && passed.actions == ["took png out of ico"])
    }

    @Test("an icon whose picture lies outside of the file is damaged")
    func badIcon() async throws {
        let file = PixelFiles.icon([(32, 32, [1, 2, 3])])
        #expect(try await Workshop.refusal(of: Array(file.dropLast())).code == .damaged)
        #expect(try await Workshop.refusal(of: file).code == .damaged)
    }

    private func tiff(_ change: [Int: [Int]] = [:], bits: Int = 8, isLittle: Bool = true, isBig: Bool = false)
        -> [UInt8]
    {
        let strip = PixelFiles.rows(40, 24, padded: false) { _, pixel in
            [pixel.red, pixel.green, pixel.blue].flatMap { bits == 8 ? [$0] : [$0, $0] }
        }
        let page = PixelFiles.page(40, 24, bits: bits).merging(change) { $1 }
        return PixelFiles.tiff(page, strip: Array(strip.joined()), isLittle: isLittle, isBig: isBig)
    }

    @Test(
        "a TIFF of 8 or 16 bits, in either byte order, large or not, becomes a picture", arguments: [8, 16],
        [false, true])
    func tiffs(_ bits: Int, _ isLittle: Bool) async throws {
        for isBig in [false, true] {
            let picture = try await Workshop.convert(tiff(bits: bits, isLittle: isLittle, isBig: isBig))
            #expect(picture.shape == .init(type: .png, width: 40, height: 24))
            #expect(picture.original == .init(type: .tiff, width: 40, height: 24))
            #expect(try Corners(of: picture) == .upright(.up))
            #expect(try Self.first(picture) == [200, 30, 30])
        }
    }

    @Test("a TIFF is turned upright", arguments: Orientation.allCases)
    func tiffOrientation(_ orientation: Orientation) async throws {
        let picture = try await Workshop.convert(tiff([274: [Int(orientation.rawValue)]]))
        #expect(try Corners(of: picture) == .upright(orientation))
        #expect(picture.actions == (orientation == .up ? ["decoded tiff"] : ["decoded tiff", orientation.description]))
    }

    @Test("palette, grey and black-on-white TIFFs keep their pixels")
    func tiffPalette() async throws {
        let map = [0, 1, 2].flatMap { channel in
            (0..<256).map { index -> Int in
                guard index < 4 else { return 0 }
                let color = PixelFiles.colors[index]
                return 257 * Int([color.red, color.green, color.blue][channel])
            }
        }
        var page = PixelFiles.page(40, 24, samples: 1, photometric: 3)
        page[320] = map
        let strip = PixelFiles.rows(40, 24, padded: false) { corner, _ in [UInt8(corner)] }
        // The map is written with 4 bytes a number, which libtiff takes as well.
        let picture = try await Workshop.convert(PixelFiles.tiff(page, strip: Array(strip.joined())))
        #expect(try Corners(of: picture) == .upright(.up))
        let white = PixelFiles.page(40, 24, bits: 1, samples: 1, photometric: 0)
        let fax = try await Workshop.convert(
            PixelFiles.tiff(white, strip: [UInt8](repeating: 0xF0, count: 5 * 24)))
        #expect(fax.shape.type == .png)
        #expect(try Self.first(fax) == [0, 0, 0])
    }

    @Test("transparency of a TIFF is kept, its colours as they were", arguments: [1, 2])
    func tiffAlpha(_ kind: Int) async throws {
        var page = PixelFiles.page(40, 24, samples: 4)
        page[338] = [kind]
        // Associated alpha (1) is stored multiplied.
        let strip = PixelFiles.rows(40, 24, padded: false) { _, _ in
            kind == 1 ? [100, 50, 25, 128] : [200, 100, 50, 128]
        }
        let picture = try await Workshop.convert(PixelFiles.tiff(page, strip: Array(strip.joined())))
        #expect(picture.actions == ["decoded tiff", "kept transparency"])
        let pixel = try Self.first(picture)
        #expect(zip(pixel, [200, 100, 50, 128]).allSatisfy { abs(Int($0) - $1) <= 1 })
    }

    @Test("inks of a TIFF become colours")
    func tiffInks() async throws {
        let page = PixelFiles.page(40, 24, samples: 4, photometric: 5)
        let strip = PixelFiles.rows(40, 24, padded: false) { _, _ in [0, 255, 255, 0] }
        let picture = try await Workshop.convert(PixelFiles.tiff(page, strip: Array(strip.joined())))
        #expect(try Self.first(picture) == [255, 0, 0])
    }

    @Test("a TIFF keeps its profile")
    func tiffProfile() async throws {
        let strip = PixelFiles.rows(40, 24, padded: false) { [$1.red, $1.green, $1.blue] }
        let file = PixelFiles.tiff(
            PixelFiles.page(40, 24), strip: Array(strip.joined()), profile: Crafting.profile())
        #expect(try await Workshop.convert(file).actions == ["decoded tiff", "kept icc profile"])
    }

    @Test(
        "a TIFF that is built to hurt, or of a kind that libtiff shall not see, is refused",
        arguments: [
            ([256: [70_000], 257: [70_000]], .overLimit), ([259: [6]], .unsupportedFormat),
            ([259: [34712]], .unsupportedFormat), ([262: [32844]], .unsupportedFormat),
            ([258: [32, 32, 32]], .unsupportedFormat), ([277: [200]], .unsupportedFormat),
            ([339: [3]], .unsupportedFormat), ([256: [0]], .damaged),
            ([322: [1 << 20], 323: [1 << 20]], .overLimit),
        ] as [([Int: [Int]], MediaError.Code)])
    func badTIFF(_ change: [Int: [Int]], _ code: MediaError.Code) async throws {
        #expect(try await Workshop.refusal(of: tiff(change)).code == code)
    }

    @Test("a TIFF that is cut is damaged, wherever")
    func cutTIFF() async throws {
        let file = tiff()
        for length in stride(from: 4, to: file.count - 4, by: 97) {
            #expect(try await Workshop.refusal(of: Array(file.prefix(length))).code == .damaged)
        }
    }

    @Test("a JPEG XL becomes a JPEG or PNG, in a container or not")
    func jpegXL() async throws {
        let drawing = try await Workshop.convert(Workshop.fixture("corners.jxl"))
        #expect(drawing.shape == .init(type: .png, width: 96, height: 64))
        #expect(drawing.actions == ["decoded jxl"])
        #expect(try Corners(of: drawing) == .upright(.up))
        let photo = try await Workshop.convert(Workshop.fixture("view.jxl"))
        #expect(photo.shape == .init(type: .jpeg, width: 192, height: 128))
    }

    @Test("a JPEG XL that is cut or too large is refused")
    func badJXL() async throws {
        let file = try Workshop.fixture("view.jxl")
        for length in [3, 20, file.count / 2, file.count - 1] {
            #expect(try await Workshop.refusal(of: Array(file.prefix(length))).code == .damaged, "\(length)")
        }
        // Height and width of 2^18 - 1 and more.
        let huge: [UInt8] = [0xFF, 0x0A, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try await Workshop.refusal(of: huge).code == .overLimit)
    }

    @Test("broken foreign files end in a picture or a reason", arguments: ["bmp", "rle", "ico", "tiff", "jxl"])
    func flips(_ kind: String) async throws {
        let runs: [UInt8] = [8, 2, 0, 0, 8, 2, 0, 0, 200, 2, 0, 2, 0, 1, 0, 0, 0, 4, 1, 1, 1, 1, 4, 0, 0, 1]
        let file: [UInt8] =
            switch kind {
            case "bmp": PixelFiles.bitmap(37, 22, bits: 8)
            case "rle": PixelFiles.bitmap(8, 6, bits: 8, compression: 1, pixels: runs)
            case "ico": try PixelFiles.icon([(48, 32, Workshop.fixture("corners.png"))])
            case "tiff": tiff()
            default: try Workshop.fixture("view.jxl")
            }
        for position in stride(from: 2, to: file.count, by: max(file.count / 40, 1)) {
            var broken = file
            broken[position] ^= 0xA5
            do { _ = try await Workshop.convert(broken) } catch let error as MediaError {
                #expect(!error.detail.isEmpty && !error.isTransient && !error.detail.contains("crash"), "\(error)")
            }
        }
    }

    /// The first pixel of a PNG.
    private static func first(_ picture: ConvertedPicture) throws -> [UInt8] {
        try picture.bytes.content.withUnsafeBytes { bytes in
            try PNGPicture(InputBytes(bytes)).decode().withView { view in
                (0..<view.bytesPerPixel).map { view.base.load(fromByteOffset: $0, as: UInt8.self) }
            }
        }
    }
}
