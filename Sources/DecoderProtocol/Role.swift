/// What a decoder process is started for; its only command line argument.
///
/// A process is started before its job is known, so the role decides which libraries are warmed and what the
/// sandbox allows.
public enum Role: String, Sendable, Hashable, CaseIterable {
    /// JPEG, PNG, WebP, bitmaps, HEVC tiles and pages (`pinpost-decoder`).
    case fast
    /// HEIC and AVIF through libheif (`pinpost-decoder-full`).
    case heif
    /// TIFF, JPEG XL and JPEG in printing inks (`pinpost-decoder-full`).
    case rare
    /// The plain card (`pinpost-decoder-full`): fonts are loaded before the sandbox closes.
    case card

    /// The file name of the executable that serves the role.
    public var executableName: String { self == .fast ? "pinpost-decoder" : "pinpost-decoder-full" }
}
