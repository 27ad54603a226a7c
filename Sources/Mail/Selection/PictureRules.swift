internal import PinpostCore

/// Decides which of a mail's pictures become pins.
struct PictureRules {
    /// Pictures that the text shows only in its signature.
    let signaturePictures: Set<String>
    /// The sender's own text has links: a mail whose only picture is in its signature is about those.
    let hasLinks: Bool
    /// The hashes of those that many mails of the sender had.
    let usualPictures: Set<[UInt8]>

    /// What is at most that large on a side counts pixels, not people, in pixels.
    static let trackerSide = 2
    /// Signature logos and icons are at most that large on both sides, in pixels.
    static let iconSide = 64
    /// Company logos in signatures are at most that high, in pixels.
    static let logoHeight = 150
    /// Banners of a sender's every mail are at most that high, in pixels: a photo may be sent to several boards.
    static let bannerHeight = 300

    /// The reason for leaving a picture out, for each in turn; nil for those that become pins.
    func verdicts(_ pictures: [PictureCandidate]) -> [String?] {
        var seen: Set<[UInt8]> = []
        let first = pictures.map { picture -> String? in
            if let fault = picture.fault { return fault }
            if let size = picture.size, min(size.width, size.height) == 0 { return "a picture without pixels" }
            if isTracker(picture) { return "a tracking pixel or a spacer" }
            return seen.insert(picture.bytes.sha256).inserted ? nil : "the same picture again"
        }
        let hasOther = zip(pictures, first).contains { $1 == nil && !isDecoration($0) && !isUsual($0) }
        return zip(pictures, first).map { picture, reason in
            if let reason { return reason }
            if isUsual(picture) { return hasOther || hasLinks ? "a picture of many mails of this sender" : nil }
            guard isDecoration(picture) else { return nil }
            if isInSignature(picture) { return hasOther || hasLinks ? "a logo in the signature" : nil }
            return hasAttachedPhoto(pictures, first) ? "a small picture of the layout" : nil
        }
    }

    /// Nobody counts readers with a file that is attached.
    private func isTracker(_ picture: PictureCandidate) -> Bool {
        guard let size = picture.size, min(size.width, size.height) <= Self.trackerSide else { return false }
        return !picture.label.isAttached || picture.label.contentID != nil
    }

    private func isUsual(_ picture: PictureCandidate) -> Bool {
        guard picture.isLayout, let size = picture.size, size.height <= Self.bannerHeight else { return false }
        return usualPictures.contains(picture.bytes.sha256)
    }

    private func isInSignature(_ picture: PictureCandidate) -> Bool {
        picture.label.placeInText.map(signaturePictures.contains) ?? false
    }

    private func isDecoration(_ picture: PictureCandidate) -> Bool {
        guard let size = picture.size else { return false }
        if isInSignature(picture) { return size.height <= Self.logoHeight }
        return picture.label.contentID != nil && picture.label.isInline
            && max(size.width, size.height) <= Self.iconSide
    }

    /// Somebody who attaches a real picture did not mean the icons of the text.
    private func hasAttachedPhoto(_ pictures: [PictureCandidate], _ reasons: [String?]) -> Bool {
        zip(pictures, reasons).contains { picture, reason in
            reason == nil && !picture.label.isInline && picture.label.contentID == nil
                && picture.size.map { max($0.width, $0.height) > Self.iconSide } ?? true
        }
    }
}
