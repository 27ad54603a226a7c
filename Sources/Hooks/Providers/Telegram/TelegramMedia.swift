internal import PinpostCore

/// What hangs on a message: at most one picture, and what is no picture.
struct TelegramMedia {
    private let message: JSONTree

    init(_ message: JSONTree) { self.message = message }

    var isEmpty: Bool { found == nil && other == nil }

    func references(by hook: Hook.ID) -> [MediaReference] {
        guard let found, let id = found.file["file_id"]?.text, refusal(of: found) == nil else { return [] }
        return [
            MediaReference(
                hook: hook, file: id, name: found.file["file_name"]?.text.flatMap(FileName.clean),
                type: found.file["mime_type"]?.text, count: found.file["file_size"]?.int)
        ]
    }

    var skipped: [SkippedPart] {
        if let found {
            return refusal(of: found).map { [part(.image, found.file, $0)] } ?? []
        }
        guard let (file, reason) = other else { return [] }
        return [part(.file, file, reason)]
    }

    private struct Found {
        let file: JSONTree
    }

    /// The largest size of a photo, or a picture that was sent as a file and is as its sender has it.
    private var found: Found? {
        let sizes = (message["photo"]?.elements ?? []).filter { $0["file_id"]?.text != nil }
        if let largest = sizes.max(by: { Self.weight($0) < Self.weight($1) }) { return Found(file: largest) }
        // A GIF that Telegram turned into a film stands in both places, as a film.
        guard let document = message["document"], Self.isPicture(document) else { return nil }
        return Found(file: document)
    }

    private func refusal(of found: Found) -> String? {
        guard let size = found.file["file_size"]?.int, size > TelegramProvider.largestFile else { return nil }
        return "over the 20 MB that a Telegram bot may fetch"
    }

    private static func weight(_ size: JSONTree) -> (Int, Int) {
        let (width, height) = (size["width"]?.int ?? 0, size["height"]?.int ?? 0)
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        return (overflow ? 0 : area, size["file_size"]?.int ?? 0)
    }

    private static func isPicture(_ document: JSONTree) -> Bool {
        MediaKind.mayBePicture(type: document["mime_type"]?.text, name: document["file_name"]?.text)
    }

    /// What cannot be pinned, with the reason.
    private var other: (file: JSONTree, reason: String)? {
        for kind in ["animation", "video", "video_note", "live_photo"] {
            if let file = message[kind] { return (file, "films are not pinned") }
        }
        for (kind, reason) in [
            ("sticker", "stickers are not pinned"), ("audio", "not a picture"), ("voice", "not a picture"),
            ("document", "not a picture"), ("story", "stories cannot be fetched by bots"),
            ("paid_media", "paid pictures cannot be fetched by bots"),
        ] {
            if let file = message[kind] { return (file, reason) }
        }
        return nil
    }

    private func part(_ kind: SkippedPart.Kind, _ file: JSONTree, _ reason: String) -> SkippedPart {
        SkippedPart(
            kind, name: file["file_name"]?.text.flatMap(FileName.clean), type: file["mime_type"]?.text,
            bytes: file["file_size"]?.int, reason: reason)
    }
}
