internal import PinpostCore

/// File names as senders give them: with paths, control characters, far too long.
enum FileName {
    static let longest = 255

    /// The last part of a path of either kind; nil where nothing of a name is left.
    static func clean(_ name: String) -> String? {
        let last = name.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = last.unicodeScalars.filter { !isHidden($0) }
        let text = String(String.UnicodeScalarView(visible)).trimmed
        guard !text.isEmpty, text != ".", text != ".." else { return nil }
        return String(text.prefix(longest))
    }

    /// Control characters, and those that turn the direction of writing.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
