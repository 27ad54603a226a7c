import Hooks
import Mail
import Media
import PinpostCore

extension Command {
    private static let kind = Flag<ExplainedFile.Kind>(
        "as", "what the file is; found out by its content without it")
    private static let recipient = Flag("recipient", "ADDRESS", "the envelope's recipient, which may name a board")
    private static let contentType = Flag("content-type", "TYPE", "of a webhook's payload or a page, where it had one")
    private static let url = Flag("url", "URL", "where the page was found; needed where it does not say so itself")
    private static let embed = Flag("oembed", "FILE", "the site's oEmbed answer about the page")

    private static let provider = Flag(
        "provider", "NAME", "whose request the payload is, as its hook would read it; no signature is asked for",
        expected: "one of \(ProviderDesk.names.joined(separator: ", "))"
    ) { ProviderDesk.names.contains($0) ? $0 : nil }
    private static let headers = Flag("headers", "FILE", "that request's headers, a `Name: value` on each line")

    static let explain = Command(
        "explain",
        "say what would become of a picture, a mail, a webhook's payload or a page, and store nothing",
        operands: [Operand("FILE", "the picture, the mail, the payload or the page; - is standard input")],
        flags: [
            AnyFlag(kind), AnyFlag(recipient), AnyFlag(contentType), AnyFlag(provider), AnyFlag(headers), AnyFlag(url),
            AnyFlag(embed),
        ],
        notes: """
            A picture is not decoded for that: a damaged one may look good here and be refused later. --json prints for
            it `kind` (picture), `type`, `bytes`, `brands`, `width` and `height` as stored, `tiles`, `bits`, `sampling`
            (4:2:0 …, grey, palette, rgb, cmyk), `alpha`, `orientation` (`value`, `words`, `origin`), `colour`
            (`profile`, `profile_bytes`, `primaries`, `matrix`, `full_range`), `exif` (`gps`, `camera`, `date`), `frames`,
            `extras`, and `verdict`: `treatment` (keep, clean, rotate, encode, tiles, library, refuse), `reason`, `code` of a
            refusal, `actions`, and `out` (`type`, `width`, `height`). What the file does not say is null.
            """
    ) { arguments, context in
        let bytes = try context.wholeFile(arguments.operands[0], limit: ExplainedFile.limit)
        if let provider = try arguments.value(provider) {
            return try await explain(bytes, of: provider, arguments, context)
        }
        let file = ExplainedFile(bytes: bytes, contentType: try arguments.value(contentType))
        let url = try arguments.value(url)
        let kind = try arguments.value(kind) ?? (url == nil ? file.kind : .page)
        switch kind {
        case .picture:
            let limits = try context.configuration().media.limits
            let report = await context.pool.run { PictureReport(bytes, limits: limits) }
            try context.print(PictureExplanation(report, bytes: bytes.count)) { $0.text }
        case .page:
            let embed = try arguments.value(embed)
            let page = ExplainPage(
                page: bytes, url: url, contentType: file.contentType,
                embed: try embed.map { try context.wholeFile($0, limit: ExplainedFile.limit) })
            try context.print(try await page.report()) { $0.text }
        case .mail, .hook:
            let content = try await context.pool.run { () throws(Failure) in try file.read(as: kind) }
            var board: String?
            if let address = try arguments.value(recipient) {
                board = try context.configuration().mail.addressing.recipient(address)?.board
            }
            try context.print(ExplainReport(content, boardOfRecipient: board), ExplainText.text)
        }
        return .done
    }

    private static func explain(
        _ body: [UInt8], of provider: String, _ arguments: Arguments, _ context: CommandContext
    ) async throws -> ExitCode {
        var headers =
            try arguments.value(headers).map {
                try RecordedHeaders.parse(try context.text(of: $0, flag: "--headers"))
            } ?? []
        if let type = try arguments.value(contentType) {
            headers.insert(SignedRequest.Header("Content-Type", type), at: 0)
        }
        let request = RecordedRequest(body: body, headers: headers)
        let report = try await context.pool.run { () throws(Failure) in
            try ProviderExplanationReport(of: request, provider: provider)
        }
        try context.print(report) { $0.text }
        return .done
    }
}
