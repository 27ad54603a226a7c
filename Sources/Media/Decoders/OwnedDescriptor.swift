import CLinux
import Glibc
import PinpostCore

/// Owns one descriptor that no child inherits by accident.
final class OwnedDescriptor: Sendable {
    let number: CInt

    init(_ number: CInt) { self.number = number }

    deinit { close(number) }

    /// Makes an empty file that lives in memory and has no name.
    static func memoryFile() throws(MediaError) -> OwnedDescriptor {
        let number = memfd_create("picture", pinpost_memfd_close_on_exec)
        guard number >= 0 else { throw .system("memfd_create", errno) }
        return OwnedDescriptor(number)
    }

    /// Makes two connected stream sockets.
    static func pair() throws(MediaError) -> (OwnedDescriptor, OwnedDescriptor) {
        var numbers: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &numbers) == 0 else { throw .system("socketpair", errno) }
        return (OwnedDescriptor(numbers[0]), OwnedDescriptor(numbers[1]))
    }

    /// Makes a second descriptor of the same file with a number not below `lowest`.
    func copy(from lowest: CInt) throws(MediaError) -> OwnedDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, lowest)
        guard copy >= 0 else { throw .system("fcntl", errno) }
        return OwnedDescriptor(copy)
    }

    /// Writes bytes, by default from the start of the file.
    func fill(_ bytes: ArraySlice<UInt8>, at start: Int = 0) throws(MediaError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    number, buffer.baseAddress?.advanced(by: written), buffer.count - written, off_t(start + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("pwrite", errno) }
            written += count
        }
    }

    /// Copies another file's first bytes to the end of this one, within the kernel.
    func fill(from source: OwnedDescriptor, count: Int) throws(MediaError) {
        var offset: off_t = 0
        while offset < count {
            let moved = sendfile(number, source.number, &offset, count - Int(offset))
            if moved < 0, errno == EINTR { continue }
            guard moved > 0 else { throw .system("sendfile", errno) }
        }
    }

    /// Reads a piece of the file; nil where it is shorter, or cannot be read.
    func contents(_ range: Range<Int>) -> [UInt8]? {
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            while filled < range.count {
                let length = pread(
                    number, buffer.baseAddress?.advanced(by: filled), range.count - filled,
                    off_t(range.lowerBound + filled))
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { break }
                filled += length
            }
            initialized = filled
        }
        return bytes.count == range.count ? bytes : nil
    }
}

extension MediaError {
    /// A system call failed: nothing is wrong with the picture.
    static func system(_ call: String, _ number: CInt) -> MediaError {
        MediaError(.unavailable, "The picture decoder cannot be used now: \(call) failed with errno \(number).")
    }
}
