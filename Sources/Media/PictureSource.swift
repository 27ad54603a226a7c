import CLinux
import Glibc
import PinpostCore

/// The bytes of a picture where they lie: in memory, or in a file that is read piece by piece.
///
/// A photo of a phone goes from the spool to its decoder without ever being in this process as a whole.
struct PictureSource: Sendable {
    /// Bytes that a decoder shall see instead of those of the file.
    struct Patch: Sendable, Hashable {
        let position: Int
        let bytes: [UInt8]
    }

    private enum Place {
        case memory(ArraySlice<UInt8>)
        case file(OwnedDescriptor)
    }

    let count: Int
    private let place: Place
    private var patches: [Patch] = []

    init(_ bytes: ArraySlice<UInt8>) { (count, place) = (bytes.count, .memory(bytes)) }

    init(_ file: OwnedDescriptor, count: Int) { (self.count, place) = (count, .file(file)) }

    /// The same picture with other bytes in some places.
    func patched(_ patches: [Patch]) -> PictureSource {
        var copy = self
        copy.patches += patches
        return copy
    }

    /// A piece of the picture, as much of it as there is, without patches.
    /// - Throws: when the file cannot be read.
    func bytes(_ range: Range<Int>) throws(Malformed) -> ArraySlice<UInt8> {
        let range = range.clamped(to: 0..<count)
        switch place {
        case .memory(let bytes): return bytes.dropFirst(range.lowerBound).prefix(range.count)
        case .file(let file):
            guard let piece = file.contents(range) else { throw Malformed("it cannot be read to its end") }
            return piece[...]
        }
    }

    /// Copies everything to the start of an empty file.
    /// - Throws: `.unavailable` when the machine cannot.
    func copy(to target: OwnedDescriptor) throws(MediaError) {
        switch place {
        case .memory(let bytes): try target.fill(bytes)
        case .file(let file): try target.fill(from: file, count: count)
        }
        for patch in patches { try target.fill(patch.bytes[...], at: patch.position) }
    }
}
