internal import PinpostCore

/// Whether a file that still lies with its provider is worth fetching.
enum MediaKind {
    private static let endings: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "jxl", "jp2",
    ]

    /// By the type; where that says nothing, by the name.
    static func mayBePicture(type: String?, name: String?) -> Bool {
        let type = HeaderParameters(type ?? "").value
        if type.hasPrefix("image/") { return true }
        guard type.isEmpty || type == "application/octet-stream" || type == "binary/octet-stream" else { return false }
        guard let name, let dot = name.lastIndex(of: ".") else { return type.isEmpty && name == nil }
        return endings.contains(name[dot...].dropFirst().lowercased())
    }

    static func skipped(name: String?, type: String?, count: Int? = nil) -> SkippedPart {
        let type = type.flatMap { $0.isEmpty ? nil : HeaderParameters($0).value }
        return SkippedPart(.file, name: name, type: type, bytes: count, reason: "not a picture")
    }
}
