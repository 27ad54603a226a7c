/// Finds pictures in `data:` links of HTML (RFC 2397), of any length, and leaves the bare `data:` in the text.
struct DataLinkFilter: TextFilter {
    private enum State {
        case text
        /// Behind `data:`: the type and `;base64`, up to the comma.
        case head([UInt8])
        case data(AttachmentSink, Base64Decoder)
    }

    private var state = State.text
    /// The end of a piece that may be the start of `data:image/`.
    private var held: [UInt8] = []
    private let findings: any Findings
    private let nesting: Int
    private static let mark = Array("data:image/".utf8)
    private static let longestHead = 200

    init(findings: any Findings, nesting: Int) {
        self.findings = findings
        self.nesting = nesting
    }

    mutating func take(_ piece: UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void) throws(MailError) {
        if held.isEmpty { return try scan(piece, text) }
        let joined = held + piece
        held = []
        try joined.lend { (bytes) throws(MailError) in try scan(bytes, text) }
    }

    mutating func finish(_ text: (UnsafeRawBufferPointer) -> Void) throws(MailError) {
        held.lend { text($0) }
        held = []
        if case .data = state { try endData(.cut) }
    }

    private mutating func scan(
        _ piece: UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void
    ) throws(MailError) {
        var rest = piece
        while !rest.isEmpty {
            switch state {
            case .text: scanText(&rest, text)
            case .head(var head):
                state = .text
                // No more than a head may have, wherever the pieces end.
                let window = rest.prefix(Self.longestHead - head.count)
                let comma = window.firstIndex {
                    $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ">")
                }
                let end = comma ?? window.endIndex
                head += rest[..<end]
                let isData = comma.map { rest[$0] == UInt8(ascii: ",") } ?? false
                rest = UnsafeRawBufferPointer(rebasing: rest[end...])
                if comma == nil, head.count < Self.longestHead { return state = .head(head) }
                if isData, let type = Self.base64Type(head) {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
                    let label = AttachmentLabel(name: nil, declaredType: type, isInline: true, nesting: nesting)
                    state = .data(findings.sink(for: label), Base64Decoder())
                } else {
                    head.lend { text($0) }
                }
            case .data(let sink, var decoder):
                let end = rest.firstIndex { !Self.isData($0) } ?? rest.endIndex
                try Self.decode(UnsafeRawBufferPointer(rebasing: rest[..<end]), &decoder, into: sink)
                state = .data(sink, decoder)
                rest = UnsafeRawBufferPointer(rebasing: rest[end...])
                if !rest.isEmpty { try endData(.whole) }
            }
        }
    }

    /// Passes text on up to `data:image/`, or holds back what may be its start.
    private mutating func scanText(_ rest: inout UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void) {
        var position = 0
        while position < rest.count {
            guard rest[position] | 0x20 == Self.mark[0] else {
                position += 1
                continue
            }
            let length = rest[position...].prefix(Self.mark.count)
            if zip(length, Self.mark).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) {
                if length.count < Self.mark.count { break }
                state = .head([])
                position += 5
                break
            }
            position += 1
        }
        text(UnsafeRawBufferPointer(rebasing: rest[..<position]))
        rest = UnsafeRawBufferPointer(rebasing: rest[position...])
        if case .text = state {
            held = Array(rest)
            rest = UnsafeRawBufferPointer(start: nil, count: 0)
        }
    }

    private mutating func endData(_ arrival: Arrival) throws(MailError) {
        guard case .data(let sink, var decoder) = state else { return }
        state = .text
        try Self.decode(UnsafeRawBufferPointer(start: nil, count: 0), &decoder, into: sink, isLast: true)
        findings.add(try sink.finish(arrival))
    }

    private static func decode(
        _ data: UnsafeRawBufferPointer, _ decoder: inout Base64Decoder, into sink: AttachmentSink, isLast: Bool = false
    ) throws(MailError) {
        var output = [UInt8](repeating: 0, count: data.count + 8)
        let count = output.withUnsafeMutableBytes { output in
            isLast ? decoder.finish(into: output) : decoder.decode(data, into: output)
        }
        output.removeLast(output.count - count)
        try output.lend { (bytes) throws(MailError) in try sink.write(bytes) }
    }

    /// `image/png` of `image/png;charset=…;base64`; nil where the data is not base64.
    private static func base64Type(_ head: [UInt8]) -> String? {
        let words = String(decoding: head, as: UTF8.self).lowercased().split(separator: ";")
        guard let type = words.first, words.contains(where: { $0.filter { !$0.isWhitespace } == "base64" })
        else { return nil }
        return String(type)
    }

    private static func isData(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) && byte >= UInt8(ascii: "A")
    }
}
