import Hooks
import Mail
import PinpostCore

extension Command {
    private static let kind = Flag<ExplainedFile.Kind>(
        "as", "what the file is; found out by its first bytes without it")
    private static let recipient = Flag("recipient", "ADDRESS", "the envelope's recipient, which may name a board")
    private static let contentType = Flag("content-type", "TYPE", "of a webhook's payload or a page, where it had one")
    private static let url = Flag("url", "URL", "where the page was found; needed with --as page")
    private static let embed = Flag("oembed", "FILE", "the site's oEmbed answer about the page")

    static let explain = Command(
        "explain", "say what would be pinned of a mail, a webhook's payload or a page, and store nothing",
        operands: [Operand("FILE", "the mail, the payload or the page; - is standard input")],
        flags: [AnyFlag(kind), AnyFlag(recipient), AnyFlag(contentType), AnyFlag(url), AnyFlag(embed)]
    ) { arguments, context in
        let bytes = try context.wholeFile(arguments.operands[0], limit: ExplainedFile.limit)
        let file = ExplainedFile(bytes: bytes, contentType: try arguments.value(contentType))
        let asked = try arguments.value(kind)
        if asked == .page {
            guard let url = try arguments.value(url) else { throw UsageError("--as page needs --url.") }
            let embed = try arguments.value(embed)
            let page = ExplainPage(
                page: bytes, url: url, contentType: file.contentType,
                embed: try embed.map { try context.wholeFile($0, limit: ExplainedFile.limit) })
            try context.print(try await page.report()) { $0.text }
            return .done
        }
        let content = try await context.pool.run { () throws(Failure) in try file.read(as: asked) }
        var board: String?
        if let address = try arguments.value(recipient) {
            board = try context.configuration().mail.addressing.recipient(address)?.board
        }
        try context.print(ExplainReport(content, boardOfRecipient: board), ExplainText.text)
        return .done
    }
}

/// A file that `explain` reads as the service would.
struct ExplainedFile: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case mail, hook, page
    }

    /// The largest body that any source takes, in bytes.
    static let limit = 64 << 20

    let bytes: [UInt8]
    let contentType: String?

    func read(as kind: Kind?) throws(Failure) -> MessageContent {
        do {
            switch kind ?? guess {
            case .page: throw Failure("usage", "A page is explained with its address.", exit: .usage)
            case .mail: return try MailReader().read(MemoryReader(bytes), into: MeasuringBlobStore())
            case .hook:
                let envelope = Envelope(contentType: contentType ?? multipartType)
                return try HookReader().read(
                    body: MemoryReader(bytes), envelope: envelope, into: MeasuringBlobStore(), knownBoards: [])
            }
        } catch let error as MailError {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        } catch let error as HookError {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        } catch {
            throw Failure(error)
        }
    }

    private var guess: Kind {
        contentType == nil && MailReader.recognises(Array(bytes.prefix(8_192))) ? .mail : .hook
    }

    /// A payload that begins with a boundary tells its own type.
    private var multipartType: String? {
        guard bytes.starts(with: "--".utf8) else { return nil }
        let line = bytes.dropFirst(2).prefix(200).prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        return "multipart/form-data; boundary=\"\(String(decoding: line, as: UTF8.self))\""
    }
}
