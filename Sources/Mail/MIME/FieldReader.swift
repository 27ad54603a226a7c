/// Makes fields of the lines of a header (RFC 5322 section 2.2); a line that is none and goes on with none is left out.
///
/// Behind `Content-…` such a line goes on with the value: some programs break file names there.
struct FieldReader {
    private var fields: [HeaderBlock.Field] = []
    /// Of the field that is being read; empty where there is none.
    private var name = ""
    private var value: [UInt8] = []
    private var isTaking = false

    /// Takes a line, or its first bytes, without the line end.
    mutating func take(_ line: UnsafeRawBufferPointer) {
        isTaking = true
        if let first = line.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "\t") {
            isTaking = !name.isEmpty
            goOn(line)
        } else if let colon = HeaderBlock.colon(of: line) {
            endField()
            name = String(token: UnsafeRawBufferPointer(rebasing: line[..<colon]))
            value = Array(line[(colon + 1)...].drop { $0 <= 0x20 })
        } else if name.hasPrefix("content-") {
            value.append(UInt8(ascii: " "))
            goOn(line)
        } else {
            isTaking = false
        }
    }

    /// Takes more of the line that came last.
    mutating func goOn(_ bytes: UnsafeRawBufferPointer) {
        if isTaking { value += bytes }
    }

    /// All fields in order.
    mutating func finish() -> [HeaderBlock.Field] {
        endField()
        return fields
    }

    private mutating func endField() {
        guard !name.isEmpty else { return }
        let isTrim = value.first.map { $0 > 0x20 } ?? true && value.last.map { $0 > 0x20 } ?? true
        fields.append(HeaderBlock.Field(name: name, value: isTrim ? value : HeaderBlock.trimmed(value[...])))
        name = ""
    }
}
