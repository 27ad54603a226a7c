import Administration
import Hooks
import Mail
import PinpostCore

extension Command {
    private static let mapping = Flag("mapping", "FILE", "JSON: for each field a JSON Pointer or a list of them")

    static let hookMapTest = Command(
        "hook map-test", "say what a mapping finds in a JSON payload, and where, and store nothing",
        operands: [
            Operand(
                "FILE", "the payload, - is standard input; or HOOK FILE for a hook's own mapping", count: .atLeastOne)
        ], flags: [AnyFlag(mapping)],
        notes: """
            A mapping such as {"url": ["/payload/url", "/text | first_url"], "tags": "/labels/*"} takes of each list the
            first pointer that finds something. Steps: * for all elements, largest(width*height) for the greatest one.
            Filters: first_url, hashtags, split, split(SEPARATOR), strip_html, base64.

            """
    ) { arguments, context in
        let operands = arguments.operands
        guard let file = operands.last, operands.count <= 2 else { throw UsageError("Give a FILE, or HOOK FILE.") }
        let text =
            if operands.count == 2 {
                try await context.mapping(of: operands[0])
            } else {
                try context.text(of: try arguments.required(mapping), flag: "--mapping")
            }
        let map = Array(text.utf8)
        let body = try context.wholeFile(file, limit: ExplainedFile.limit)
        let report = try await context.pool.run { () throws(Failure) in try MappingReport(of: body, by: map) }
        try context.print(report) { $0.text }
        return .done
    }
}

extension CommandContext {
    /// The mapping that a hook has.
    fileprivate func mapping(of hook: String) async throws -> String {
        guard let mapping = try await perform(ShowHook(tenant: nil, id: hook)).mapping else {
            throw Failure("no_mapping", "Hook \(hook) has no mapping; try one with --mapping FILE.", exit: .refused)
        }
        return mapping
    }
}

/// What `hook map-test` prints.
private struct MappingReport: Encodable, Sendable {
    struct Found: Encodable, Sendable {
        let field: String
        let pointer: String
        let value: String
    }

    /// Pictures are long; in characters.
    private static let longestValue = 200

    let found: [Found]
    let result: ExplainReport

    init(of body: [UInt8], by map: [UInt8]) throws(Failure) {
        do throws(HookError) {
            let mapping = try HookMapping(json: map)
            found = try mapping.findings(in: body).map { finding in
                Found(
                    field: finding.field, pointer: finding.pointer,
                    value: String(finding.value.prefix(Self.longestValue)))
            }
            let content = try HookReader(mapping: mapping).read(
                body: MemoryReader(body), envelope: Envelope(contentType: "application/json"),
                into: MeasuringBlobStore(), knownBoards: [])
            result = ExplainReport(content, boardOfRecipient: nil)
        } catch {
            throw Failure(error.code.rawValue.snakeCased, error.description, exit: .wrongData)
        }
    }

    var text: String {
        let rows = found.map { [$0.field, $0.pointer, $0.value] }
        return TextTable(rows).text + "\n" + ExplainText.text(result)
    }
}
