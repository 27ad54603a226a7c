import Cryptography
import Glibc
import Mail
import PinpostCore
import Testing

/// Keeps every picture that was stored, whatever became of it, in the order in which they were finished.
private final class Album: BlobStore, @unchecked Sendable {
    // One thread reads one mail.
    private(set) var pictures: [[UInt8]] = []
    /// Bytes that were handed in.
    private(set) var written = 0

    func makeWriter() -> any BlobWriter { Writer(album: self) }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { throw StoreError(.notFound, "an album") }
    func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        let album: Album
        var bytes: [UInt8] = []

        init(album: Album) { self.album = album }

        func write(_ bytes: UnsafeRawBufferPointer) {
            self.bytes += bytes
            album.written += bytes.count
        }

        func finish() -> StoredBytes {
            album.pictures.append(bytes)
            return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: SHA256.hash(bytes))
        }

        func discard() {}
    }
}

/// Where a picture in base64, with lines of the usual length, stands in a mail.
private struct Place {
    let picture: [UInt8]
    let range: Range<Int>

    /// nil where it stands otherwise, or more than once.
    init?(of picture: [UInt8], in mail: [UInt8]) {
        let lines = stride(from: 0, to: picture.count, by: 57).map { start in
            base64(Array(picture[start..<min(start + 57, picture.count)]))
        }
        guard lines.count >= 3 else { return nil }
        for end: [UInt8] in [[13, 10], [10]] {
            let (first, last) = (lines[0] + end + lines[1], lines[lines.count - 2] + end + lines[lines.count - 1])
            guard let start = Self.only(first, in: mail), let tail = Self.only(last, in: mail), start < tail else {
                continue
            }
            self.picture = picture
            range = start..<(tail + last.count)
            return
        }
        return nil
    }

    private static func only(_ text: [UInt8], in mail: [UInt8]) -> Int? {
        mail.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var found: Int?
            var position = 0
            while position + text.count <= bytes.count,
                let hit = memchr(base + position, CInt(text[0]), bytes.count - text.count - position + 1)
            {
                let place = UnsafeRawPointer(hit) - base
                if memcmp(hit, text, text.count) == 0 {
                    guard found == nil else { return nil }
                    found = place
                }
                position = place + 1
            }
            return found
        }
    }
}

@Suite("Mails that end too early", .timeLimit(.minutes(10)))
struct CutMailTests {
    /// Places at which a mail is cut; a long mail has fewer, so that all of it takes seconds.
    private static let cuts = 20
    private static let bytesRead = 300_000
    /// Their boundaries are damaged, and the text behind them is read as base64: no two beginnings have the same picture.
    private static let withDamagedBoundary = ["apache_james-mime4j__multi-frag.msg.eml"]

    @Test("what came whole is found, what did not is told of and not pinned", arguments: FixtureTests.names)
    func fixtures(_ name: String) throws {
        try check(Samples.bytes("\(FixtureTests.folder)/\(name).eml"), name)
    }

    @Test("the same for real mails", .enabled(if: Samples.hasMail, "no shared folder with mails"))
    func corpus() throws {
        let folder = Samples.shared + "/mail/corpus"
        for name in try Samples.files(in: folder, suffix: ".eml") where !Self.withDamagedBoundary.contains(name) {
            try check(Samples.bytes("\(folder)/\(name)"), name)
        }
    }

    private func check(_ mail: [UInt8], _ name: String) throws {
        let album = Album()
        guard let whole = try? MailReader().read(MemoryReader(mail), into: album) else { return }
        let pictures = Set(album.pictures)
        let pinned = Set(whole.images.map(\.bytes.sha256))
        let places = pictures.filter { pinned.contains(SHA256.hash($0)) }.compactMap { Place(of: $0, in: mail) }
        let count = min(Self.cuts, max(Self.bytesRead / max(mail.count, 1), 2))
        for number in 1...count {
            let length = mail.count * number / (count + 1)
            try check(Array(mail.prefix(length)), name, of: pictures, places)
        }
    }

    private func check(_ mail: [UInt8], _ name: String, of pictures: Set<[UInt8]>, _ places: [Place]) throws {
        let album = Album()
        guard let content = try? MailReader().read(MemoryReader(mail), into: album) else {
            return #expect(places.allSatisfy { $0.range.upperBound > mail.count }, "\(name) up to \(mail.count)")
        }
        let found = Set(content.images.map(\.bytes.sha256))
        let known = Set(pictures.map { SHA256.hash($0) })
        #expect(found.isSubset(of: known), "half a picture in \(name) up to \(mail.count)")
        #expect(album.written <= 2 * mail.count, "\(name) up to \(mail.count)")
        for place in places {
            let skipped = content.skipped.filter { $0.kind == .image }
            if place.range.upperBound <= mail.count {
                let isThere =
                    found.contains(SHA256.hash(place.picture))
                    || skipped.contains { $0.bytes == place.picture.count && !$0.reason.contains("cut off") }
                #expect(isThere, "a picture of \(place.picture.count) bytes in \(name) up to \(mail.count)")
            } else if place.range.lowerBound + 120 < mail.count, mail.count < place.range.upperBound - 80 {
                #expect(
                    skipped.contains { $0.reason == "the picture is cut off" },
                    "nothing about a picture of \(place.picture.count) bytes in \(name) up to \(mail.count)")
            }
        }
    }
}
