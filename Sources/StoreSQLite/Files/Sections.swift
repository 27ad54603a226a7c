internal import Cryptography

/// The digest of bytes in two sections: both digests are hashed once more, and the place of the second is kept with it.
///
/// The second section is a text, hashed as such. So the bytes are hashed only once where somebody needs to know whether it
/// is the same one as another.
enum Sections {
    struct First {
        let count: Int
        let digest: [UInt8]
    }

    static func digest(_ first: First, _ last: [UInt8]) -> [UInt8] {
        let place = (0..<8).map { UInt8(truncatingIfNeeded: first.count >> (56 - 8 * $0)) }
        return SHA256.hash(first.digest + last) + place
    }

    /// Where the second section begins; nil where there is one only.
    static func start(in digest: [UInt8]) -> Int? {
        guard digest.count == SHA256.byteCount + 8 else { return nil }
        return digest[SHA256.byteCount...].reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Hashes bytes that are read back, in the sections in which they were written.
struct SectionedHash: ~Copyable {
    private let expected: [UInt8]
    private let start: Int?
    private var hash = SHA256()
    private var text = TextHash()
    private var first: Sections.First?
    private(set) var count = 0

    init(expecting digest: [UInt8]) {
        expected = digest
        start = Sections.start(in: digest)
    }

    mutating func update(_ bytes: [UInt8]) {
        defer { count += bytes.count }
        guard first == nil else { return text.update(bytes) }
        guard let start, count + bytes.count >= start else { return hash.update(bytes) }
        let place = max(start - count, 0)
        bytes.withUnsafeBytes { bytes in
            hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<place]))
            first = Sections.First(count: start, digest: hash.finish())
            text.update(UnsafeRawBufferPointer(rebasing: bytes[place...]))
        }
    }

    /// Whether the bytes since the start are those that were written; the next byte is the first again.
    mutating func isRight() -> Bool {
        let (whole, last) = (hash.finish(), text.finish())
        defer { (first, count) = (nil, 0) }
        return (first.map { Sections.digest($0, last) } ?? whole) == expected
    }

    mutating func restart() { _ = isRight() }
}
