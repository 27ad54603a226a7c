/// Makes fields of the lines of a header (RFC 5322 section 2.2); a line that is none and goes on with none is left out.
///
/// Behind `Content-…` such a line goes on with the value: some programs break file names there.
struct FieldReader {
    private var fields: [HeaderBlock.Field] = []
    /// Of the field that is being read; empty where there is none.
    private var name = ""
    private var value: [UInt8] = []
    private var isTaking = false

    /// Takes a line, or its first bytes, without the line end, whose field name ends at `colon`.
    mutating func take(_ line: UnsafeRawBufferPointer, colon: Int?) {
        isTaking = true
        if Self.goesOn(line) {
            isTaking = !name.isEmpty
            goOn(line)
        } else if let colon {
            endField()
            name = String(token: UnsafeRawBufferPointer(rebasing: line[..<colon]))
            value = Array(line[(colon + 1)...].drop(while: HeaderBlock.isBlank))
        } else if name.hasPrefix("content-") {
            value.append(UInt8(ascii: " "))
            goOn(line)
        } else {
            isTaking = false
        }
    }

    /// Whether a line belongs to the field before it.
    static func goesOn(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
    }

    /// The fields up to now, of which the last may go on.
    var header: HeaderBlock {
        var reader = self
        return HeaderBlock(fields: reader.finish())
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
        let isTrimmed = ![value.first, value.last].contains { $0.map(HeaderBlock.isBlank) ?? false }
        fields.append(HeaderBlock.Field(name: name, value: isTrimmed ? value : HeaderBlock.trimmed(value[...])))
        name = ""
    }
}
