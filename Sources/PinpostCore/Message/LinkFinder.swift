/// Finds http(s) links in plain text, as written.
///
/// A link ends at white space, a quote or an angle bracket; punctuation behind it is not part of it. One in angle
/// brackets may be broken over lines (RFC 3986 appendix C). The work is linear in the text.
public enum LinkFinder {
    public struct Link: Hashable, Sendable {
        public let url: String
        /// The line it begins on, from 0; lines end with LF.
        public let line: Int
    }

    /// What is longer is cut, in bytes; Pinry takes 2,048 characters as a source.
    public static let longestLink = 8_192

    public static func links(in text: String) -> [Link] { links(in: Array(text.utf8)) }

    public static func links(in bytes: [UInt8]) -> [Link] {
        var links: [Link] = []
        var line = 0
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            if byte == newline { line += 1 }
            guard byte | 0x20 == UInt8(ascii: "h"), let scheme = schemeLength(bytes, at: position),
                position == 0 || !isWord(bytes[position - 1])
            else {
                position += 1
                continue
            }
            let isInBrackets = position > 0 && bytes[position - 1] == UInt8(ascii: "<")
            let found = (isInBrackets ? bracketed(bytes, at: position) : nil) ?? plain(bytes, at: position)
            if found.url.utf8.count > scheme { links.append(Link(url: found.url, line: line)) }
            line += bytes[position..<found.end].count { $0 == newline }
            position = found.end
        }
        return links
    }

    private static let newline = UInt8(ascii: "\n")

    private static func schemeLength(_ bytes: [UInt8], at position: Int) -> Int? {
        func matches(_ scheme: StaticString) -> Bool {
            let length = scheme.utf8CodeUnitCount
            guard position + length <= bytes.count else { return false }
            return (0..<length).allSatisfy { bytes[position + $0] | 0x20 == scheme.utf8Start[$0] | 0x20 }
        }
        return matches("https://") ? 8 : matches("http://") ? 7 : nil
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    private static func isTerminator(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F
            || [
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "\\"),
                UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            ].contains(byte)
    }

    private static func plain(_ bytes: [UInt8], at start: Int) -> (url: String, end: Int) {
        var end = start
        let limit = min(bytes.count, start + longestLink)
        while end < limit, !isTerminator(bytes[end]) { end += 1 }
        let token = String(decoding: bytes[start..<end], as: UTF8.self)
        let url = String(token.unicodeScalars.prefix { !isForeignTerminator($0) })
        return (trimmed(url[...]), min(start + max(url.utf8.count, 1), end))
    }

    /// A link in `<…>` that may go over up to 20 lines; nil where that is not closed before a blank or another bracket.
    private static func bracketed(_ bytes: [UInt8], at start: Int) -> (url: String, end: Int)? {
        var url: [UInt8] = []
        var breaks = 0
        var isIndentation = false
        for position in start..<min(bytes.count, start + longestLink) {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: ">"):
                return (String(decoding: url, as: UTF8.self), position)
            case newline:
                breaks += 1
                if breaks > 20 { return nil }
                isIndentation = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                guard isIndentation else { return nil }
            case UInt8(ascii: "<"), UInt8(ascii: "\""), 0..<0x20: return nil
            default:
                isIndentation = false
                url.append(byte)
            }
        }
        return nil
    }

    /// White space and punctuation of other scripts; letters and digits of any script may stand in a link.
    private static func isForeignTerminator(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return false }
        return scalar.properties.isWhitespace
            || "\u{FFFC}\u{FFFD}。、，．！？；：（）［］「」『』【】《》〈〉“”„«»…".unicodeScalars.contains(scalar)
    }

    private static func trimmed(_ token: Substring) -> String {
        var url = token
        var open: [Character: Int] = [:]
        for character in url where "()[]".contains(character) { open[character, default: 0] += 1 }
        while let last = url.last {
            switch last {
            case ".", ",", ";", ":", "!", "?", "'", "*", "_", "~", "’", "‘", "|": break
            case ")" where open[")", default: 0] > open["(", default: 0]: open[")", default: 0] -= 1
            case "]" where open["]", default: 0] > open["[", default: 0]: open["]", default: 0] -= 1
            default: return String(url)
            }
            url = url.dropLast()
        }
        return String(url)
    }
}
