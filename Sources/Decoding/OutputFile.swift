public import DecoderProtocol
public import Glibc

/// The file that takes the finished picture.
///
/// It is opened before the sandbox closes, because a C stream asks the kernel about its descriptor first.
public struct OutputFile {
    private let stream: UnsafeMutablePointer<FILE>

    init(descriptor: Int32) throws(Failure) {
        guard let stream = fdopen(descriptor, "wb") else { throw Failure(.internalFault, "no output file") }
        self.stream = stream
    }

    /// Appends bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        _ = try withStream { fwrite(bytes.baseAddress, 1, bytes.count, $0) == bytes.count }
    }

    /// Appends bytes.
    /// - Returns: the length of the file in bytes.
    public func write(_ bytes: [UInt8]) throws(Failure) -> Int {
        try withStream { fwrite(bytes, 1, bytes.count, $0) == bytes.count }
    }

    /// Lends the C stream to a library that writes to one; it is flushed afterwards.
    /// - Returns: the length of the file in bytes.
    /// - Throws: `.tooLarge` at the limit for files, `.internalFault` when `body` or the kernel fails.
    public func withStream(_ body: (UnsafeMutablePointer<FILE>) -> Bool) throws(Failure) -> Int {
        errno = 0
        guard body(stream), fflush(stream) == 0 else {
            throw Failure(errno == EFBIG ? .tooLarge : .internalFault, "writing failed with errno \(errno)")
        }
        return ftell(stream)
    }
}
