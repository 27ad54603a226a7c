internal import Glibc
internal import PinpostCore

/// Reads size and completeness of a picture from its bytes as they pass; no pixel is decoded.
struct PictureProbe {
    /// Width and height as stored, before any orientation; nil where the format does not tell.
    private(set) var size: PictureSize?
    private var walker: (any PictureWalker)?
    private var step: PictureStep
    private var window: [UInt8] = []
    private var total = 0

    /// Windows are small; the largest is the index of a HEIF file.
    static let largestWindow = 64 << 10

    init(_ type: PictureType) {
        walker =
            switch type {
            case .jpeg: JPEGWalker()
            case .png: PNGWalker()
            case .gif: GIFWalker()
            case .webp: WebPWalker()
            case .bmp: BMPWalker()
            case .ico: ICOWalker()
            case .heic, .avif: HEIFWalker()
            case .tiff, .jxl, .jp2, .psd, .svg: nil
            }
        step = .read(walker?.firstWindow ?? 0)
    }

    /// Whether the picture is all there, as its structure tells; nil where we do not read that.
    var isComplete: Bool? { walker?.isComplete(after: total) }

    /// Whether pixels have begun, in a format that is shown without its end.
    var hasPixels: Bool { walker?.hasPixels ?? true }

    mutating func take(_ bytes: UnsafeRawBufferPointer) {
        total += bytes.count
        guard walker != nil else { return }
        var rest = bytes
        while !rest.isEmpty {
            switch step {
            case .done: return
            case .skip(let count, let then):
                let skipped = min(count, rest.count)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(skipped))
                step = skipped == count ? .read(then) : .skip(count - skipped, then: then)
            case .find(let byte, let then):
                guard let base = rest.baseAddress, let found = memchr(base, CInt(byte), rest.count) else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(UnsafeRawPointer(found) - base + 1))
                step = .read(then)
            case .read(let count):
                let missing = max(count, 1) - window.count
                window += rest.prefix(missing)
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(missing))
                if window.count >= count { walk() }
            }
        }
    }

    private mutating func walk() {
        guard var walker else { return }
        step = walker.next(window, &size)
        self.walker = walker
        window.removeAll(keepingCapacity: true)
    }
}

struct PictureSize: Sendable, Hashable {
    let width: Int
    let height: Int
}

/// What a walker wants next.
enum PictureStep {
    /// That many bytes, at least one.
    case read(Int)
    /// To pass over the first number of bytes and then to read the second.
    case skip(Int, then: Int)
    /// To pass over everything up to and with this byte and then to read.
    case find(UInt8, then: Int)
    case done
}

/// Knows the blocks of one format; never sees more than it asked for.
protocol PictureWalker {
    var firstWindow: Int { get }
    /// Looks at the bytes that were asked for and notes the size when it meets it.
    mutating func next(_ window: [UInt8], _ size: inout PictureSize?) -> PictureStep
    func isComplete(after total: Int) -> Bool
    /// Whether pixels have begun, in a format that is shown without its end.
    var hasPixels: Bool { get }
}

extension PictureWalker {
    var hasPixels: Bool { false }
}

extension [UInt8] {
    /// An unsigned number, most significant byte first; the caller knows that the bytes are there.
    func big(_ offset: Int, _ length: Int) -> Int {
        self[offset..<(offset + length)].reduce(0) { $0 << 8 | Int($1) }
    }

    /// An unsigned number, least significant byte first.
    func little(_ offset: Int, _ length: Int) -> Int {
        self[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
