import Hooks
import Mail
import Media
import PinpostCore

/// A file that `explain` reads as the service would.
struct ExplainedFile: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case mail, hook, page, picture
    }

    /// The largest body that any source takes, in bytes.
    static let limit = 64 << 20

    let bytes: [UInt8]
    let contentType: String?

    /// What the content says, unless a content type came with it: then it is a payload.
    var kind: Kind {
        guard contentType == nil else { return .hook }
        let start = Array(bytes.prefix(8_192))
        if PictureReport.recognises(start) { return .picture }
        if Self.isPage(start) { return .page }
        return MailReader.recognises(start) ? .mail : .hook
    }

    /// A document of HTML, behind white space, a byte order mark and comments.
    private static func isPage(_ start: [UInt8]) -> Bool {
        var text = String(decoding: start, as: UTF8.self).lowercased()[...]
        while true {
            text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            guard text.hasPrefix("<!--"), let end = text.firstRange(of: "-->") else { break }
            text = text[end.upperBound...]
        }
        return text.hasPrefix("<!doctype html") || text.hasPrefix("<html")
            || text.hasPrefix("<?xml") && text.contains("<html")
    }

    func read(as kind: Kind) throws(Failure) -> MessageContent {
        do {
            guard kind == .mail else {
                let envelope = Envelope(contentType: contentType ?? multipartType)
                return try HookReader().read(
                    body: MemoryReader(bytes), envelope: envelope, into: MeasuringBlobStore(), knownBoards: [])
            }
            return try MailReader().read(MemoryReader(bytes), into: MeasuringBlobStore())
        } catch let error as MailError {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        } catch let error as HookError {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        } catch {
            throw Failure(error)
        }
    }

    /// A payload that begins with a boundary tells its own type.
    private var multipartType: String? {
        guard bytes.starts(with: "--".utf8) else { return nil }
        let line = bytes.dropFirst(2).prefix(200).prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return "multipart/form-data; boundary=\"\(String(decoding: line, as: UTF8.self))\""
    }
}
