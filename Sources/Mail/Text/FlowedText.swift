/// Joins the lines that a sender broke for `format=flowed` (RFC 3676); other text stays as it is.
enum FlowedText {
    /// Whether the type asks for it, and whether the blank before a line break goes (`DelSp=yes`).
    static func unfolded(_ text: String, type: MIMEValue) -> String {
        guard type.parameter("format")?.lowercased() == "flowed" else { return text }
        return unfolded(text, deletesSpace: type.parameter("delsp")?.lowercased() == "yes")
    }

    static func unfolded(_ text: String, deletesSpace: Bool) -> String {
        var lines: [String] = []
        var openDepth: Int?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let depth = line.prefix { $0 == ">" }.count
            var content = line.dropFirst(depth)
            if content.first == " " { content = content.dropFirst() }  // Space-stuffing, section 4.4.
            let isSignatureMark = content == "-- "
            let isFlowed = content.last == " " && !isSignatureMark
            let added = isFlowed && deletesSpace ? content.dropLast() : content
            if openDepth == depth, !isSignatureMark, let last = lines.indices.last {
                lines[last] += added
            } else {
                lines.append(depth > 0 ? String(repeating: ">", count: depth) + " " + added : String(added))
            }
            openDepth = isFlowed ? depth : nil
        }
        return lines.joined(separator: "\n")
    }
}
