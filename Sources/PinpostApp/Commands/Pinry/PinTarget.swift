import Glibc
import PinpostCore

/// What `pinpost pin` is to pin: a picture file or a link.
enum PinTarget: Sendable {
    case picture(path: String, type: PictureType)
    case link(String)

    /// The largest picture, in bytes.
    static let limit = 25 << 20

    /// Looks at what was typed before anything is sent.
    init(_ text: String) throws {
        guard text.contains("://") else {
            self = .picture(path: text, type: try Self.type(of: text))
            return
        }
        try Self.checkLink(text)
        self = .link(text)
    }

    static func checkLink(_ text: String) throws {
        let start = text.lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), !start.hasSuffix("://"), !text.contains(" ")
        else { throw UsageError("\(text): a link has to begin with http:// or https:// and may hold no blanks.") }
    }

    private static func type(of path: String) throws -> PictureType {
        do {
            let descriptor = try ReadFile.open(path)
            defer { close(descriptor) }
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
                throw UsageError("\(path) is not a plain file.")
            }
            guard facts.st_size > 0 else { throw Failure("empty", "\(path) is empty.", exit: .wrongData) }
            guard facts.st_size <= limit else {
                throw Failure("too_large", "\(path) is over \(limit >> 20) MiB.", exit: .wrongData)
            }
            guard let type = PictureType.sniff(try ReadFile.piece(of: descriptor, upTo: PictureType.prefixLength))
            else {
                throw Failure("no_picture", "\(path) is not a picture that Pinpost knows.", exit: .wrongData)
            }
            return type
        } catch let error as SystemFailure {
            let hint = error.code == ENOENT ? " For a link write https:// in front." : ""
            throw UsageError("\(path) cannot be read (\(error.reason)).\(hint)")
        }
    }
}
