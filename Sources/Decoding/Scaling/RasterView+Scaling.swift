public import DecoderProtocol

extension RasterView {
    /// Makes the picture smaller in the memory that it lies in; the pixels of this view are gone then.
    ///
    /// A finished row never reaches beyond the rows that were read already.
    public func reducedInPlace(to size: PictureSize) throws(Failure) -> RasterView {
        let target = UnsafeMutableRawPointer(mutating: base).assumingMemoryBound(to: UInt8.self)
        let stride = size.width * bytesPerPixel
        try reduce(to: size, into: target, stride: stride)
        return RasterView(
            base: base, width: size.width, height: size.height, stride: stride, bytesPerPixel: bytesPerPixel)
    }

    /// Writes a smaller copy to `target`, whose rows are `targetStride` bytes apart.
    func reduce(
        to size: PictureSize, into target: UnsafeMutablePointer<UInt8>, stride targetStride: Int
    ) throws(Failure) {
        let reducer = try RowReducer(PictureSize(width: width, height: height), to: size, channels: bytesPerPixel)
        let source = base.assumingMemoryBound(to: UInt8.self)
        for y in 0..<height {
            reducer.add(source + y * stride) { target + reducer.rowsOut * targetStride }
        }
    }
}
