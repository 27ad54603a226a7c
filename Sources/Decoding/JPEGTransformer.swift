import CTurboJPEG
import DecoderProtocol

/// Owns one TurboJPEG transformer, which moves coefficients without decoding them.
struct JPEGTransformer: ~Copyable {
    private let handle: tjhandle

    init() throws(Failure) {
        guard let handle = tjInitTransform() else { throw Failure(.internalFault, "tjInitTransform failed") }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Turns a picture losslessly and appends it to `output`, without any of its metadata.
    ///
    /// Partial blocks that would come to lie at the left or at the top are left out. The result is coded by Huffman,
    /// whatever the source was.
    /// - Returns: the length of the file, or nil where TurboJPEG cannot do it.
    func turn(
        _ input: InputBytes, _ orientation: Orientation, into output: OutputFile
    ) throws(Failure) -> Int? {
        var transform = tjtransform()
        transform.op = CInt(orientation.transform.rawValue)
        transform.options = CInt(TJXOPT_TRIM | TJXOPT_COPYNONE)
        var (file, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(file) }
        let status = tjTransform(
            handle, try input.bytes(), UInt(input.count), 1, &file, &size, &transform, TJFLAG_LIMITSCANS)
        guard status == 0 || tjGetErrorCode(handle) == CInt(TJERR_WARNING.rawValue), size > 0 else { return nil }
        try output.write(UnsafeRawBufferPointer(start: file, count: Int(size)))
        return Int(size)
    }
}

extension Orientation {
    fileprivate var transform: TJXOP {
        switch self {
        case .up: TJXOP_NONE
        case .upMirrored: TJXOP_HFLIP
        case .down: TJXOP_ROT180
        case .downMirrored: TJXOP_VFLIP
        case .leftMirrored: TJXOP_TRANSPOSE
        case .right: TJXOP_ROT90
        case .rightMirrored: TJXOP_TRANSVERSE
        case .left: TJXOP_ROT270
        }
    }
}
