public import PinpostCore

extension Envelope {
    /// What may be said of a payload beside its body, in the query or in header fields.
    ///
    /// A query item counts before a header field. The names are those of the payload's fields; as header fields they
    /// carry `X-`, or are those of ntfy (`Title`, `Tags`, `Attach`, `Filename`).
    public static func hookFields(
        query: some Sequence<(String, String)>, headers: some Sequence<(String, String)>
    ) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in query where queryNames.contains(name.lowercased()) {
            fields[name.lowercased(), default: value] = fields[name.lowercased()] ?? value
        }
        for (name, value) in headers {
            if let name = headerNames[name.lowercased()], fields[name] == nil { fields[name] = value }
        }
        return fields
    }

    private static let queryNames: Set<String> = [
        "title", "description", "text", "tags", "board", "source", "private", "filename", "url", "image_url",
    ]

    private static let headerNames: [String: String] = [
        "x-title": "title", "title": "title", "x-description": "description", "x-tags": "tags", "tags": "tags",
        "x-board": "board", "x-source": "source", "x-private": "private", "filename": "filename",
        "x-filename": "filename", "x-url": "url", "attach": "url", "x-attach": "url",
    ]
}
