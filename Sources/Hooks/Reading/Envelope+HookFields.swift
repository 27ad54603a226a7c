public import PinpostCore

extension Envelope {
    /// What may be said of a payload beside its body, in the query or in header fields.
    ///
    /// A query item counts before a header field. The names are those of the payload's fields; as header fields they
    /// carry `X-`, or are those of ntfy (`Title`, `Tags`, `Attach`, `Filename` and their short forms), which it takes in
    /// the query as well. Header values may be encoded as in mails (RFC 2047).
    public static func hookFields(
        query: some Sequence<(String, String)>, headers: some Sequence<(String, String)>
    ) -> [String: String] {
        var fields: [String: String] = [:]
        // The payload's own names count before ntfy's.
        let query = Array(query)
        for names in [queryNames, headerNames] {
            for (name, value) in query {
                guard let name = names[name.lowercased()], fields[name] == nil else { continue }
                fields[name] = value
            }
        }
        for (name, value) in headers {
            if let name = headerNames[name.lowercased()], fields[name] == nil {
                fields[name] = HeaderText.decoded(value)
            }
        }
        return fields
    }

    private static let queryNames: [String: String] = {
        let plain = [
            "title", "description", "text", "tags", "board", "source", "private", "again", "filename", "url",
            "image_url", "click",
        ]
        let others = ["message": "text", "attach": "url", "referer": "source", "link": "url"]
        return Dictionary(uniqueKeysWithValues: plain.map { ($0, $0) }).merging(others) { name, _ in name }
    }()

    /// Not `Referer`: browsers and libraries set it by themselves.
    private static let headerNames: [String: String] = [
        "x-title": "title", "title": "title", "ti": "title", "t": "title", "x-description": "description",
        "x-message": "text", "message": "text", "m": "text", "x-text": "text",
        "x-tags": "tags", "x-tag": "tags", "tags": "tags", "tag": "tags", "ta": "tags",
        "x-board": "board", "x-source": "source", "x-private": "private", "x-again": "again",
        "x-filename": "filename", "filename": "filename", "x-file": "filename", "file": "filename", "f": "filename",
        "x-url": "url", "x-attach": "url", "attach": "url", "a": "url", "x-image-url": "image_url",
        "x-click": "click", "click": "click",
    ]
}
