internal import PinpostCore

/// A picture written as text: base64, wrapped or not, a data URL (RFC 2397), or a link to it.
struct PictureText {
    private enum State {
        /// The first bytes, until they say what it is.
        case start
        case link
        /// `data:image/png;base64`, up to the comma.
        case dataHeader
        case base64
        case useless(String)
    }

    private static let longestHead = 4_096

    private let picture: PictureSink
    private var state = State.start
    /// The text so far, before it is known to be base64.
    private var head: [UInt8] = []
    private var decoder = Base64Decoder()
    private var decoded: [UInt8] = []

    /// Whether a text that begins like this is a picture in base64 or a data URL with one.
    static func isPicture(_ start: [UInt8]) -> Bool {
        let text = start.drop { $0.isJSONSpace }
        if String(decoding: text.prefix(11), as: UTF8.self).lowercased() == "data:image/" { return true }
        var decoder = Base64Decoder()
        var bytes: [UInt8] = []
        decoder.decode(text.prefix(while: { !$0.isJSONSpace }), into: &bytes)
        return decoder.isValid && bytes.count >= 12 && PictureType.sniff(bytes) != nil
    }

    init(_ intake: Intake) { picture = intake.picture() }

    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws(HookError) {
        switch state {
        case .base64: try decode(bytes)
        case .useless: break
        case .start, .link, .dataHeader:
            // White space in front decides nothing.
            head += head.isEmpty ? Array(bytes.drop { $0.isJSONSpace }) : Array(bytes)
            try look(isEnd: false)
        }
    }

    mutating func finish() throws(HookError) -> FoundPart {
        try look(isEnd: true)
        switch state {
        case .start:
            picture.discard()
            return .nothing
        case .link:
            picture.discard()
            return .link(String(decoding: head, as: UTF8.self).trimmed)
        case .dataHeader: return picture.skip(.file, nil, "the data URL has no data")
        case .useless(let reason): return picture.skipText(reason)
        case .base64:
            decoder.finish(into: &decoded)
            try flush(atLeast: 1)
            guard decoder.isValid else { return picture.skipText("neither base64 nor a data URL nor a link") }
            return try picture.finish(name: nil)
        }
    }

    /// Decides by the head what this is, as soon as it can be known.
    private mutating func look(isEnd: Bool) throws(HookError) {
        if case .start = state, head.count >= 8 || isEnd && !head.isEmpty {
            let text = String(decoding: head.prefix(8), as: UTF8.self).lowercased()
            if text.hasPrefix("http:") || text.hasPrefix("https:") {
                state = .link
            } else if text.hasPrefix("data:") {
                state = .dataHeader
            } else {
                try beginBase64(at: 0)
            }
        }
        switch state {
        case .dataHeader: try lookForData()
        case .link where head.count > Self.longestHead: state = .useless("the link is too long")
        default: break
        }
    }

    private mutating func lookForData() throws(HookError) {
        guard let comma = head.firstIndex(of: UInt8(ascii: ",")) else {
            if head.count > Self.longestHead { state = .useless("the data URL has no data") }
            return
        }
        if String(decoding: head[..<comma], as: UTF8.self).lowercased().hasSuffix(";base64") {
            try beginBase64(at: comma + 1)
        } else {
            state = .useless("a data URL has to be in base64")
        }
    }

    private mutating func beginBase64(at index: Int) throws(HookError) {
        state = .base64
        let start = Array(head[index...])
        head = []
        decoder.decode(start, into: &decoded)
    }

    private mutating func decode(_ bytes: UnsafeRawBufferPointer) throws(HookError) {
        guard decoder.isValid else { return }
        decoder.decode(bytes, into: &decoded)
        try flush(atLeast: 32 * 1024)
    }

    private mutating func flush(atLeast count: Int) throws(HookError) {
        guard decoded.count >= count else { return }
        try decoded.lend { bytes throws(HookError) in try picture.write(bytes) }
        decoded.removeAll(keepingCapacity: true)
    }
}
