import FoundationEssentials
import Mail
import PinpostCore

/// Folders of mails that are not part of the repository.
enum Samples {
    /// `PINPOST_SHARED`, or the folder `shared` beside the package.
    static let shared: String = ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? packageRoot + "/../shared"

    static let hasMail = FileManager.default.fileExists(atPath: shared + "/mail/corpus/expected.jsonl")

    static var packageRoot: String {
        let pieces = #filePath.split(separator: "/").dropLast(3)
        return "/" + pieces.joined(separator: "/")
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    static func files(in folder: String, suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted()
    }
}

/// Reads a mail in memory; nothing is kept.
func read(
    _ mail: [UInt8], limits: MailLimits = MailLimits(), knownBoards: [String] = []
) throws(MailError) -> MessageContent {
    try MailReader(limits: limits).read(MemoryReader(mail), into: MeasuringBlobStore(), knownBoards: knownBoards)
}

func read(
    _ mail: String, limits: MailLimits = MailLimits(), knownBoards: [String] = []
) throws(MailError) -> MessageContent {
    try read(Array(mail.utf8), limits: limits, knownBoards: knownBoards)
}

extension MessageContent {
    var images: [FoundImage] {
        items.compactMap { item in
            if case .image(let image) = item.kind { return image }
            return nil
        }
    }

    var itemLinks: [String] {
        items.compactMap { item in
            if case .link(let link) = item.kind { return link.url }
            return nil
        }
    }
}

/// Without line breaks.
func base64(_ bytes: [UInt8]) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for place in 0..<4 {
            text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
        }
    }
    return text
}
