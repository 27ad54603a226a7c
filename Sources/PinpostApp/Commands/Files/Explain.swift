import Hooks
import Mail
import PinpostCore

extension Command {
    private static let kind = Flag<ExplainedFile.Kind>(
        "as", "what the file is; found out by its first bytes without it")
    private static let recipient = Flag("recipient", "ADDRESS", "the envelope's recipient, which may name a board")
    private static let contentType = Flag("content-type", "TYPE", "of a webhook's payload, where it had one")

    static let explain = Command(
        "explain", "say what would be pinned of a mail or a webhook's payload, and store nothing",
        operands: [Operand("FILE", "the mail or the payload; - is standard input")],
        flags: [AnyFlag(kind), AnyFlag(recipient), AnyFlag(contentType)]
    ) { arguments, context in
        let bytes = try context.wholeFile(arguments.operands[0], limit: ExplainedFile.limit)
        let file = ExplainedFile(bytes: bytes, contentType: try arguments.value(contentType))
        let asked = try arguments.value(kind)
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
        case mail, hook
    }

    /// The largest body that any source takes, in bytes.
    static let limit = 64 << 20

    let bytes: [UInt8]
    let contentType: String?

    func read(as kind: Kind?) throws(Failure) -> MessageContent {
        do {
            switch kind ?? guess {
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
