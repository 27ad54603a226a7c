import CLinux
public import DecoderProtocol

/// Checks and turns JPEG, PNG and WebP, reads bitmaps, joins HEVC tiles, and lists the elements of pages.
public struct FastWorker: Worker {
    public static var permissions: Sandbox.Permissions { [] }

    public init() {
        PageScanner.prepare()
        Self.keepFreedMemory()
    }

    /// A tile's memory serves the next one: given back each time, the kernel would have to clear it again, which costs
    /// a tenth of the whole way.
    private static func keepFreedMemory() {
        mallopt(pinpost_mmap_threshold, 32 << 20)
        mallopt(pinpost_trim_threshold, CInt.max)
        mallopt(pinpost_top_pad, 8 << 20)
    }

    public func perform(_ job: Job, on input: InputBytes, into output: OutputFile) throws(Failure) -> Output {
        switch job {
        case .check(.jpeg): try JPEGPicture(input).check()
        case .check(.png): try PNGPicture(input).check()
        case .check(.webP): try WebPPicture(input).check()
        case .bake(.jpeg, let finish): try JPEGPicture(input).bake(finish, into: output)
        case .bake(.png, let finish): try PNGPicture(input).bake(finish, into: output)
        case .bake(.webP, let finish): try WebPPicture(input).bake(finish, into: output)
        case .convert(.bitmap, let finish): try BitmapPicture(file: input).convert(finish, into: output)
        case .convert(.icon, let finish): try BitmapPicture(icon: input).convert(finish, into: output)
        case .joinTiles(let plan): try TiledPicture(plan, input).convert(into: output)
        default: throw Failure(.wrongRole)
        }
    }

    public func outline(_ input: InputBytes, into output: OutputFile) throws(Failure) -> Int {
        try output.write(OutlineElement.encode(try PageScanner.elements(of: input)))
    }
}
