
public import DecoderProtocol
public import Glibc

/// The file that takes the finished picture.
public struct OutputFile {
    private let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Appends bytes.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw Failure(errno == EFBIG ? .tooLarge : .internalFault, "write failed with errno \(errno)")
            }
            written += count
        }
    }

    /// Lends a C stream for libraries that write to one; it is flushed afterwards.
    /// - Returns: how many bytes were written.
    public func withStream(_ body: (UnsafeMutablePointer<FILE>) -> Bool) throws(Failure) -> Int {
        guard let stream = fdopen(descriptor, "wb") else { throw Failure(.internalFault, "fdopen failed") }
        let succeeded = body(stream)
        let length = ftell(stream)
        guard fclose(stream) == 0, succeeded, length >= 0 else { throw Failure(.internalFault, "writing failed") }
        return length
    }
}
