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

    /// Writes everything from the start of the file.
    func fill(_ bytes: ArraySlice<UInt8>) throws(MediaError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(number, buffer.baseAddress?.advanced(by: written), buffer.count - written, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("pwrite", errno) }
            written += count
        }
    }

    /// Reads so many bytes from the start of the file.
    /// - Throws: `.decoderFailed` when there are fewer.
    func contents(_ count: Int) throws(MediaError) -> [UInt8] {
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                let length = pread(number, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
                if length < 0, errno == EINTR { continue }
                guard length > 0 else { break }
                filled += length
            }
            initialized = filled
        }
        guard bytes.count == count else {
            throw MediaError(.decoderFailed, "The picture decoder did not write the picture that it announced.")
        }
        return bytes
    }
}

extension MediaError {
    /// A system call failed: nothing is wrong with the picture.
    static func system(_ call: String, _ number: CInt) -> MediaError {
        MediaError(.unavailable, "The picture decoder cannot be used now: \(call) failed with errno \(number).")
    }
}
