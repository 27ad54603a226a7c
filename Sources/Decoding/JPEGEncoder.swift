public import CTurboJPEG
public import DecoderProtocol

/// Owns one TurboJPEG compressor.
public struct JPEGEncoder: ~Copyable {
    private let handle: tjhandle

    public init() throws(Failure) {
        guard let handle = tjInitCompress() else { throw Failure(.internalFault, "tjInitCompress failed") }
        self.handle = handle
    }

    deinit { tjDestroy(handle) }

    /// Encodes packed pixels and appends the file to `output`.
    /// - Returns: the length of the file in bytes.
    public func encode(
        _ pixels: RasterView, format: TJPF, subsampling: TJSAMP, quality: Int, into output: OutputFile
    ) throws(Failure) -> Int {
        let file = try encode(pixels, format: format, subsampling: subsampling, quality: quality)
        return try output.write(file)
    }

    /// Encodes packed pixels.
    /// - Returns: the file.
    public func encode(
        _ pixels: RasterView, format: TJPF, subsampling: TJSAMP, quality: Int
    ) throws(Failure) -> [UInt8] {
        var (file, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(file) }
        // The default below quality 96 is the fast DCT: worse pictures, and not faster here.
        let status = tjCompress2(
            handle, pixels.base.assumingMemoryBound(to: UInt8.self), CInt(pixels.width), CInt(pixels.stride),
            CInt(pixels.height), CInt(format.rawValue), &file, &size, CInt(subsampling.rawValue), CInt(quality),
            TJFLAG_ACCURATEDCT)
        guard status == 0 else { throw .turboJPEG(handle) }
        return Array(UnsafeBufferPointer(start: file, count: Int(size)))
    }

    /// Encodes planes and appends the file to `output`.
    /// - Returns: the length of the file in bytes.
    func encode(_ planes: JPEGPlanes, quality: Int, into output: OutputFile) throws(Failure) -> Int {
        var (file, size): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        defer { tjFree(file) }
        var pointers = planes.pointers.map { UnsafePointer($0) }
        let status = tjCompressFromYUVPlanes(
            handle, &pointers, CInt(planes.width), planes.strides, CInt(planes.height),
            CInt(planes.subsampling.rawValue), &file, &size, CInt(quality), TJFLAG_ACCURATEDCT)
        guard status == 0 else { throw .turboJPEG(handle) }
        try output.write(UnsafeRawBufferPointer(start: file, count: Int(size)))
        return Int(size)
    }

    /// Encodes planes into memory of the caller, who gives as many bytes as `tjBufSize` says.
    /// - Returns: the file, at the beginning of the buffer.
    /// - Throws: what TurboJPEG says.
    func encode(
        _ planes: [UnsafePointer<UInt8>?], strides: [CInt], width: Int, height: Int, subsampling: TJSAMP, quality: Int,
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(Failure) -> UnsafeMutableBufferPointer<UInt8> {
        var (file, size, planes) = (buffer.baseAddress, UInt(buffer.count), planes)
        let status = tjCompressFromYUVPlanes(
            handle, &planes, CInt(width), strides, CInt(height), CInt(subsampling.rawValue), &file, &size,
            CInt(quality), TJFLAG_ACCURATEDCT | TJFLAG_NOREALLOC)
        guard status == 0 else { throw .turboJPEG(handle) }
        return UnsafeMutableBufferPointer(rebasing: buffer[..<Int(size)])
    }
}
