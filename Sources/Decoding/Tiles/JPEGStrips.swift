import CTurboJPEG
import DecoderProtocol

/// Writes one JPEG from strips of rows, so that the whole picture never has to be in memory.
///
/// TurboJPEG only encodes whole pictures. A strip is encoded as one, and what its scan holds is taken over behind a
/// restart marker (ITU-T T.81, sections E.1.3 and E.1.4): at one, every decoder starts anew, as the strip does.
struct JPEGStrips: ~Copyable {
    /// Rows of all strips but the last: a multiple of an MCU's height, and few enough for a restart interval.
    static let height = 64

    private let encoder: JPEGEncoder
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let output: OutputFile
    private let size: PictureSize
    private let subsampling: TJSAMP
    private let quality: Int
    private var rowCount = 0
    private var strips = 0
    private var byteCount = 0

    /// Begins a JPEG of so many pixels.
    init(_ size: PictureSize, _ subsampling: TJSAMP, quality: Int, into output: OutputFile) throws(Failure) {
        (self.size, self.subsampling, self.quality, self.output) = (size, subsampling, quality, output)
        guard (1...65_500).contains(size.width), (1...65_500).contains(size.height) else {
            throw Failure(.tooLarge, "\(size.width) x \(size.height) pixels do not fit into a JPEG")
        }
        encoder = try JPEGEncoder()
        let length = tjBufSize(CInt(size.width), CInt(Self.height), CInt(subsampling.rawValue))
        buffer = UnsafeMutableBufferPointer.allocate(capacity: Int(length))
    }

    deinit { buffer.deallocate() }

    /// Adds the next rows: `height` of them, fewer only at the end of the picture.
    mutating func append(_ planes: JPEGPlanes, _ rows: Range<Int>) throws(Failure) {
        planes.padLuma(rows: rows)
        let file = try encoder.encode(
            planes.rows(from: rows.lowerBound), strides: planes.strides, width: size.width, height: rows.count,
            subsampling: subsampling, quality: quality, into: buffer)
        guard let scan = Scan(in: file) else { throw Failure(.internalFault, "TurboJPEG wrote something strange") }
        if strips == 0 {
            try write(header(of: file, scan))
        } else {
            try write([0xFF, 0xD0 + UInt8((strips - 1) % 8)])
        }
        try write(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(file)[scan.data]))
        rowCount += rows.count
        strips += 1
    }

    /// Ends the file.
    /// - Returns: its length in bytes.
    mutating func finish() throws(Failure) -> Int {
        guard rowCount == size.height else {
            throw Failure(.internalFault, "\(rowCount) of \(size.height) rows were written")
        }
        try write([0xFF, 0xD9])
        return byteCount
    }

    /// The header of the first strip with the height of the picture, and with the length of the restart intervals.
    private func header(of file: UnsafeMutableBufferPointer<UInt8>, _ scan: Scan) -> [UInt8] {
        var header = Array(file[..<scan.data.lowerBound])
        header.replaceSubrange(scan.height..<scan.height + 2, with: Self.bytes(size.height))
        guard size.height > Self.height else { return header }
        let block = subsampling.blockSize
        let interval = (size.width + block.width - 1) / block.width * (Self.height / block.height)
        header.insert(contentsOf: [0xFF, 0xDD, 0, 4] + Self.bytes(interval), at: scan.start)
        return header
    }

    private mutating func write(_ bytes: [UInt8]) throws(Failure) {
        byteCount += bytes.count
        let output = output
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in try output.write(UnsafeRawBufferPointer(bytes)) }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        byteCount += bytes.count
        try output.write(bytes)
    }

    private static func bytes(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)] }
}

/// Where the parts of a baseline file with one scan are.
private struct Scan {
    /// The two bytes of the frame's height.
    let height: Int
    /// The start-of-scan segment.
    let start: Int
    /// The entropy-coded data, without the end-of-image marker.
    let data: Range<Int>

    init?(in file: UnsafeMutableBufferPointer<UInt8>) {
        var (position, height) = (2, 0)
        while position + 4 <= file.count, file[position] == 0xFF {
            let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
            let end = position + 2 + length
            if file[position + 1] == 0xC0 { height = position + 5 }
            if file[position + 1] == 0xDA {
                guard height > 0, end + 2 <= file.count else { return nil }
                (self.height, start, data) = (height, position, end..<file.count - 2)
                return
            }
            position = end
        }
        return nil
    }
}
