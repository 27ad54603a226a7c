import CTIFF
import DecoderProtocol
import Decoding
import Glibc

/// The first page of a TIFF file, seen through libtiff.
struct TIFFPicture: ~Copyable {
    /// The largest piece of memory that libtiff may ask for at once.
    private static let largestAllocation = 256 << 20

    private let tiff: OpaquePointer
    private let source: TIFFSource

    /// Reads the first directory; the input must stay in place.
    init(_ input: InputBytes) throws(Failure) {
        let source = TIFFSource(try input.bytes(), input.count)
        guard let options = TIFFOpenOptionsAlloc() else { throw Failure(.tooLarge, "no memory") }
        defer { TIFFOpenOptionsFree(options) }
        TIFFOpenOptionsSetMaxSingleMemAlloc(options, tmsize_t(Self.largestAllocation))
        guard let tiff = source.open(options) else { throw source.failure }
        (self.tiff, self.source) = (tiff, source)
    }

    deinit { TIFFClose(tiff) }

    /// Decodes, makes smaller, turns and encodes.
    func convert(_ finish: Finish, into output: OutputFile) throws(Failure) -> Output {
        var image = TIFFRGBAImage()
        guard TIFFRGBAImageBegin(&image, tiff, 1, source.message) != 0 else {
            throw Failure(.unsupported, String(cString: source.message))
        }
        defer { TIFFRGBAImageEnd(&image) }
        // Rows stay in the order of the file; the job says how to turn them.
        image.req_orientation = image.orientation
        let isCMYK = image.photometric == UInt16(PHOTOMETRIC_SEPARATED) && image.isContig != 0
        if isCMYK { image.put.contig = keepInks }
        let pixels = try Raster(width: Int(image.width), height: Int(image.height), bytesPerPixel: 4)
        let status = pixels.withBytes { target in
            target.withMemoryRebound(to: UInt32.self, capacity: pixels.width * pixels.height) {
                TIFFRGBAImageGet(&image, $0, image.width, image.height)
            }
        }
        guard status != 0, !source.hasFailed else { throw source.failure }
        let hasAlpha = image.alpha != 0
        return try pixels.withView { (view) throws(Failure) in
            guard !isCMYK else { return try convertInks(view, finish, into: output) }
            if hasAlpha { view.divideByAlpha() } else { view.makeOpaque() }
            return try PictureWriter(finish).write(view, into: output)
        }
    }

    private func convertInks(
        _ pixels: RasterView, _ finish: Finish, into output: OutputFile
    ) throws(Failure) -> Output {
        var (length, bytes): (UInt32, UnsafeRawPointer?) = (0, nil)
        let hasProfile = pinpost_tiff_profile(tiff, &length, &bytes) != 0
        let profile = hasProfile ? Array(UnsafeRawBufferPointer(start: bytes, count: Int(length))) : []
        return try Inks.toRGB(pixels, profile, areInverted: false).withView { (view) throws(Failure) in
            try PictureWriter(finish).write(view, into: output)
        }
    }
}

/// Copies four inks as they are, where libtiff would mix them without the profile.
private func keepInks(
    _ image: UnsafeMutablePointer<TIFFRGBAImage>?, _ target: UnsafeMutablePointer<UInt32>?, _ x: UInt32, _ y: UInt32,
    _ width: UInt32, _ height: UInt32, _ sourceSkew: Int32, _ targetSkew: Int32,
    _ samples: UnsafeMutablePointer<UInt8>?
) {
    guard let image, var target, var samples else { return }
    let inks = Int(image.pointee.samplesperpixel)
    for _ in 0..<height {
        for _ in 0..<width {
            UnsafeMutableRawPointer(target).copyMemory(from: samples, byteCount: 4)
            target += 1
            samples += inks
        }
        target += Int(targetSkew)
        samples += Int(sourceSkew) * inks
    }
}

/// The bytes that libtiff reads from, and what it says about them.
private final class TIFFSource {
    static let messageLength = 1024  // as TIFFRGBAImageBegin wants it

    let bytes: UnsafePointer<UInt8>
    let count: Int
    let message = UnsafeMutablePointer<CChar>.allocate(capacity: messageLength)
    private(set) var position = 0
    private(set) var hasFailed = false

    init(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
        (self.bytes, self.count) = (bytes, count)
        message.initialize(repeating: 0, count: Self.messageLength)
    }

    deinit { message.deallocate() }

    /// What libtiff said first: later errors follow from it.
    var failure: Failure {
        let words = String(cString: message)
        return Failure(words.contains("emory") ? .tooLarge : .damaged, words.isEmpty ? "libtiff cannot read it" : words)
    }

    /// Opens the file over these bytes, which libtiff sees as mapped memory.
    func open(_ options: OpaquePointer) -> OpaquePointer? {
        let place = Unmanaged.passUnretained(self).toOpaque()
        TIFFOpenOptionsSetErrorHandlerExtR(
            options,
            { _, source, _, format, arguments in
                TIFFSource.at(source)?.note(format, arguments)
                return 1
            }, place)
        TIFFOpenOptionsSetWarningHandlerExtR(options, { _, _, _, _, _ in 1 }, nil)
        return TIFFClientOpenExt(
            "picture", "r", place,
            { TIFFSource.at($0)?.read(into: $1, $2) ?? 0 }, { _, _, _ in 0 },
            { TIFFSource.at($0)?.seek(to: $1, from: $2) ?? 0 }, { _ in 0 },
            { toff_t(TIFFSource.at($0)?.count ?? 0) },
            { source, base, size in
                guard let source = TIFFSource.at(source) else { return 0 }
                base?.pointee = UnsafeMutableRawPointer(mutating: source.bytes)
                size?.pointee = toff_t(source.count)
                return 1
            }, { _, _, _ in }, options)
    }

    private static func at(_ place: UnsafeMutableRawPointer?) -> TIFFSource? {
        place.map { Unmanaged<TIFFSource>.fromOpaque($0).takeUnretainedValue() }
    }

    private func note(_ format: UnsafePointer<CChar>?, _ arguments: CVaListPointer?) {
        guard !hasFailed, let format, let arguments else { return }
        hasFailed = true
        vsnprintf(message, Self.messageLength, format, arguments)
    }

    private func read(into target: UnsafeMutableRawPointer?, _ wanted: tmsize_t) -> tmsize_t {
        let length = max(min(Int(wanted), count - position), 0)
        target?.copyMemory(from: bytes + position, byteCount: length)
        position += length
        return tmsize_t(length)
    }

    private func seek(to offset: toff_t, from origin: CInt) -> toff_t {
        let base = origin == SEEK_CUR ? position : origin == SEEK_END ? count : 0
        let (target, overflowed) = base.addingReportingOverflow(Int(clamping: offset))
        position = overflowed ? count : min(max(target, 0), count)
        return toff_t(position)
    }
}

extension RasterView {
    /// libtiff multiplies colours with their alpha; PNG wants them as they were.
    fileprivate func divideByAlpha() {
        forEachPixel { pixel in
            let alpha = Int(pixel[3])
            guard alpha > 0, alpha < 255 else { return }
            for channel in 0..<3 {
                pixel[channel] = UInt8(clamping: (Int(pixel[channel]) * 255 + alpha / 2) / alpha)
            }
        }
    }

    fileprivate func makeOpaque() { forEachPixel { $0[3] = 255 } }

    private func forEachPixel(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
        for y in 0..<height {
            let row = UnsafeMutableRawPointer(mutating: base + y * stride).assumingMemoryBound(to: UInt8.self)
            for x in 0..<width { body(row + 4 * x) }
        }
    }
}
