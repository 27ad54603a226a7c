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
        guard let name, let ending = ending(of: name) else { return type.isEmpty && name == nil }
        return endings.contains(ending)
    }

    static func skipped(name: String?, type: String?, count: Int? = nil) -> SkippedPart {
        let type = type.flatMap { $0.isEmpty ? nil : HeaderParameters($0).value }
        let reason = isFilm(type: type, name: name) ? "films are not pinned" : "not a picture"
        return SkippedPart(.file, name: name, type: type, bytes: count, reason: reason)
    }

    private static func isFilm(type: String?, name: String?) -> Bool {
        if let type, type.contains("/"), !type.hasPrefix("application/") { return type.hasPrefix("video/") }
        return name.flatMap(ending).map(filmEndings.contains) ?? false
    }

    private static func ending(of name: String) -> String? {
        name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() }
    }

    private static let filmEndings: Set<String> = ["mp4", "m4v", "mov", "webm", "avi", "mkv", "3gp", "mpg", "mpeg"]
}
