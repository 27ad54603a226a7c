internal import PinpostCore

/// Where the pictures of one payload go, and what its text may cost.
final class Intake {
    let limits: HookLimits
    let budget: TextBudget
    private let blobs: any BlobStore
    private var stored: [StoredBytes] = []

    init(blobs: any BlobStore, limits: HookLimits) {
        self.blobs = blobs
        self.limits = limits
        budget = TextBudget(limits)
    }

    func picture() -> PictureSink { PictureSink(self, writer: blobs.makeWriter()) }

    func keep(_ bytes: StoredBytes) { stored.append(bytes) }

    /// A picture that is left out after all.
    func discard(_ image: FoundImage) {
        stored.removeAll { $0 == image.bytes }
        blobs.discard(image.bytes)
    }

    /// The payload failed: nobody will ask for its pictures.
    func discardPictures() {
        for bytes in stored { blobs.discard(bytes) }
        stored = []
    }
}

/// What a field or part that should be a picture turned out to be.
enum FoundPart {
    case nothing
    case picture(FoundImage)
    /// A link stands where a picture could.
    case link(String)
    case skipped(SkippedPart)

    /// The same under this name, where it has none.
    func named(_ name: String?) -> FoundPart {
        switch self {
        case .picture(var image):
            image.name = image.name ?? name
            return .picture(image)
        case .skipped(var part):
            part.name = part.name ?? name
            return .skipped(part)
        case .nothing, .link: return self
        }
    }
}
