public import DecoderProtocol
import Glibc

/// The untrusted picture, mapped read-only for the life of the process.
public struct InputBytes {
    private let memory: UnsafeRawBufferPointer

    /// Maps a file; an empty one gives an empty buffer.
    init(descriptor: Int32) throws(Failure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(.internalFault, "fstat failed with errno \(errno)") }
        let size = Int(status.st_size)
        guard size > 0 else {
            memory = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        // Never unmapped: the process ends with its job.
        guard let base = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), base != MAP_FAILED else {
            throw Failure(.tooLarge, "mmap failed with errno \(errno)")
        }
        memory = UnsafeRawBufferPointer(start: base, count: size)
    }

    /// Bytes that somebody else keeps alive.
    init(_ memory: UnsafeRawBufferPointer) { self.memory = memory }

    public var count: Int { memory.count }

    /// The address that the C libraries read from.
    /// - Throws: `.damaged` for an empty file.
    public func bytes() throws(Failure) -> UnsafePointer<UInt8> {
        guard let base = memory.baseAddress else { throw Failure(.damaged, "the file is empty") }
        return base.assumingMemoryBound(to: UInt8.self)
    }

    /// A piece of the file.
    /// - Throws: `.damaged` when it is not inside.
    func piece(_ place: TilePlan.Place) throws(Failure) -> UnsafeBufferPointer<UInt8> {
        guard place.offset >= 0, place.length >= 0, place.offset <= count, place.length <= count - place.offset else {
            throw Failure(.damaged, "a tile lies outside the file")
        }
        return UnsafeBufferPointer(start: try bytes() + place.offset, count: place.length)
    }
}
