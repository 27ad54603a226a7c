import CLCMS
import DecoderProtocol
import Decoding

/// Brings pixels of another colour space to sRGB, which every browser shows.
struct ColorConverter: ~Copyable {
    private let transform: cmsHTRANSFORM

    /// How the samples of a source pixel are meant.
    enum Layout {
        /// Four inks, 255 is full ink.
        case cmyk
        /// Four inks as Adobe stores them in JPEG: 255 is none.
        case invertedCMYK
        /// Alpha is left alone.
        case rgba

        fileprivate var format: cmsUInt32Number {
            switch self {
            case .cmyk: pinpost_cmyk
            case .invertedCMYK: pinpost_cmyk_inverted
            case .rgba: pinpost_rgba
            }
        }
    }

    /// Asks lcms for the time once, while it may still read the time zone's file.
    static func prepare() {
        cmsCloseProfile(cmsCreate_sRGBProfile())
    }

    /// Reads a profile.
    /// - Returns: nil where the profile is unreadable or for other pixels than these.
    init?(_ profile: [UInt8], _ layout: Layout) {
        guard let source = cmsOpenProfileFromMem(profile, cmsUInt32Number(clamping: profile.count)),
            let target = cmsCreate_sRGBProfile()
        else { return nil }
        defer {
            cmsCloseProfile(source)
            cmsCloseProfile(target)
        }
        let isColor = layout == .rgba
        guard cmsGetColorSpace(source) == (isColor ? cmsSigRgbData : cmsSigCmykData),
            let transform = cmsCreateTransform(
                source, layout.format, target, isColor ? pinpost_rgba : pinpost_rgb,
                cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), cmsUInt32Number(cmsFLAGS_BLACKPOINTCOMPENSATION))
        else { return nil }
        self.transform = transform
    }

    deinit { cmsDeleteTransform(transform) }

    /// Converts inks to RGB, or RGBA in place.
    func convert(_ source: RasterView, into target: UnsafeMutableRawPointer, stride: Int) {
        for y in 0..<source.height {
            cmsDoTransform(
                transform, source.base + y * source.stride, target + y * stride, cmsUInt32Number(source.width))
        }
    }
}

/// CMYK pixels on their way to RGB.
enum Inks {
    /// Converts with the picture's own profile, or where that is empty or unreadable by the plain formula: what an ink leaves of its
    /// colour, times what black leaves.
    static func toRGB(
        _ pixels: RasterView, _ profile: [UInt8], areInverted: Bool
    ) throws(Failure) -> Raster {
        let raster = try Raster(width: pixels.width, height: pixels.height, bytesPerPixel: 3)
        let layout: ColorConverter.Layout = areInverted ? .invertedCMYK : .cmyk
        if let converter = ColorConverter(profile, layout) {
            raster.withBytes { converter.convert(pixels, into: $0, stride: raster.stride) }
        } else {
            raster.withBytes { convertPlainly(pixels, areInverted: areInverted, into: $0, stride: raster.stride) }
        }
        return raster
    }

    private static func convertPlainly(
        _ pixels: RasterView, areInverted: Bool, into target: UnsafeMutablePointer<UInt8>, stride: Int
    ) {
        let flip: UInt8 = areInverted ? 0 : 255
        for y in 0..<pixels.height {
            let source = (pixels.base + y * pixels.stride).assumingMemoryBound(to: UInt8.self)
            let row = target + y * stride
            for x in 0..<pixels.width {
                let black = Int(source[4 * x + 3] ^ flip)
                for channel in 0..<3 {
                    let level = Int(source[4 * x + channel] ^ flip) * black
                    row[3 * x + channel] = UInt8(truncatingIfNeeded: (level + 127) / 255)
                }
            }
        }
    }
}
