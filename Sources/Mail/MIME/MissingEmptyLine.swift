/// What tells where a header ends that has no empty line behind it.
enum MissingEmptyLine {
    /// Whether a name tells that the header goes on: a text may have any other word before a colon.
    static func isKnownField(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
        let name = String(token: name)
        return knownFields.contains(name) || name.hasPrefix("content-") || name.hasPrefix("x-")
    }

    private static let knownFields: Set<String> = [
        "from", "to", "cc", "date", "subject", "sender", "reply-to", "message-id", "mime-version", "received",
        "return-path", "references", "in-reply-to", "delivered-to", "dkim-signature", "authentication-results",
    ]

    /// Whether a line that is no field is the first of the body that the header speaks of.
    static func isBody(_ line: UnsafeRawBufferPointer, of header: @autoclosure () -> HeaderBlock) -> Bool {
        if isBase64(line) { return TransferDecoder.Encoding(header()) == .base64 }
        guard line.count > 2, line[0] == UInt8(ascii: "-"), line[1] == UInt8(ascii: "-") else { return false }
        let type = header().contentType
        guard type.value.hasPrefix("multipart/"), let boundary = type.rawParameter("boundary") else { return false }
        return HeaderBlock.trimmed(Array(line.dropFirst(2))[...]) == HeaderBlock.trimmed(boundary[...])
    }

    /// A line of encoded data.
    private static func isBase64(_ data: UnsafeRawBufferPointer) -> Bool {
        data.count >= 56
            && data.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}
