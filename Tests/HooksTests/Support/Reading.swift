import PinpostCore
import Synchronization

@testable import Hooks

/// Bytes that come in pieces of a chosen size.
final class PieceReader: BlobReader {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: [UInt8], size: Int = .max) {
        rest = bytes[...]
        self.size = size
    }

    func read(upTo limit: Int) -> [UInt8] {
        let piece = Array(rest.prefix(min(limit, size)))
        rest = rest.dropFirst(piece.count)
        return piece
    }

    func descriptor() throws(StoreError) -> CInt { throw StoreError(.unusable) }
}

/// Keeps everything in memory, and knows what is still kept.
final class KeepingBlobs: BlobStore {
    private let kept = Mutex<[[UInt8]]>([])
    private let failure: StoreError?

    init(failing failure: StoreError? = nil) { self.failure = failure }

    var count: Int { kept.withLock { $0.count } }

    func makeWriter() -> any BlobWriter { Writer(self) }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { PieceReader(bytes.inlineBytes) }

    func discard(_ bytes: StoredBytes) {
        kept.withLock { kept in
            if let index = kept.firstIndex(of: bytes.inlineBytes) { kept.remove(at: index) }
        }
    }

    private final class Writer: BlobWriter {
        private let blobs: KeepingBlobs
        private var bytes: [UInt8] = []

        init(_ blobs: KeepingBlobs) { self.blobs = blobs }

        func write(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
            if let failure = blobs.failure { throw failure }
            self.bytes.append(contentsOf: bytes)
        }

        func finish() throws(StoreError) -> StoredBytes {
            blobs.kept.withLock { $0.append(bytes) }
            return StoredBytes(place: .inline(bytes), count: bytes.count, sha256: [])
        }

        func discard() {}
    }
}

extension StoredBytes {
    var inlineBytes: [UInt8] {
        if case .inline(let bytes) = place { bytes } else { [] }
    }
}

/// Reads a payload as the splitter would.
func read(
    _ body: [UInt8], as contentType: String?, fields: [String: String] = [:], limits: HookLimits = HookLimits(),
    into blobs: any BlobStore = KeepingBlobs(), pieces size: Int = .max
) throws(HookError) -> MessageContent {
    try HookReader(limits: limits).read(
        body: PieceReader(body, size: size), envelope: Envelope(contentType: contentType, fields: fields), into: blobs,
        knownBoards: [])
}

func json(
    _ text: String, limits: HookLimits = HookLimits(), into blobs: any BlobStore = KeepingBlobs()
) throws(HookError) -> MessageContent {
    try read(Array(text.utf8), as: "application/json", limits: limits, into: blobs)
}

/// A PNG of 2 × 2 pixels, as base64 and as bytes.
enum TinyPNG {
    static let base64 =
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4IRcFRAwQCgAkxgUBBHQ3qwAAAABJRU5ErkJggg=="

    static var bytes: [UInt8] {
        var decoder = Base64Decoder()
        var bytes: [UInt8] = []
        decoder.decode(base64.utf8, into: &bytes)
        decoder.finish(into: &bytes)
        return bytes
    }
}

extension MessageContent {
    /// What would be pinned, in a form that tests compare: `link URL`, `image URL`, `picture NAME TYPE BYTES`.
    var summary: [String] {
        items.map { item in
            switch item.kind {
            case .image(let image): "picture \(image.name ?? "-") \(image.type.rawValue) \(image.bytes.count)"
            case .link(let link): "\(link.isImage ? "image" : "link") \(link.url)"
            case .media(let media): "media \(media.file) \(media.name ?? "-")"
            }
        }
    }

    var pictures: [FoundImage] {
        items.compactMap { item in
            if case .image(let image) = item.kind { image } else { nil }
        }
    }
}
