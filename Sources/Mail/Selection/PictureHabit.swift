internal import Cryptography
internal import PinpostCore

/// Tells the same picture of the same sender again, without keeping either.
struct PictureHabit {
    /// In lower case.
    private let sender: String

    /// More pictures of one layout are not remembered.
    static let mostPictures = 20

    init(sender: String) { self.sender = sender.lowercased() }

    /// 32 bytes.
    func key(of picture: StoredBytes) -> [UInt8] { SHA256.hash(Array(sender.utf8) + [0] + picture.sha256) }
}

extension PictureCandidate {
    /// The mail's HTML shows it; nobody attached it.
    var isLayout: Bool { label.isInline && label.contentID != nil && fault == nil }
}
