internal import PinpostCore

/// Finds uuencoded files in plain text.
struct UUFilter: TextFilter {
    private var scanner = LineScanner()
    private var file: (sink: AttachmentSink, begin: [UInt8], hasData: Bool, hasLost: Bool)?
    private let findings: any Findings
    private let nesting: Int

    init(findings: any Findings, nesting: Int) {
        self.findings = findings
        self.nesting = nesting
    }

    mutating func take(_ piece: UnsafeRawBufferPointer, _ text: (UnsafeRawBufferPointer) -> Void) throws(MailError) {
        var rest = piece
        while let line = scanner.next(from: &rest) { try take(line, isWhole: true, text) }
    }

    mutating func finish(_ text: (UnsafeRawBufferPointer) -> Void) throws(MailError) {
        if let line = scanner.last() { try take(line, isWhole: false, text) }
        try end(.cut, text)
    }

    private mutating func take(
        _ line: LineScanner.Line, isWhole: Bool, _ text: (UnsafeRawBufferPointer) -> Void
    ) throws(MailError) {
        var end = line.bytes.count
        while end > 0, line.bytes[end - 1] == 0x0A || line.bytes[end - 1] == 0x0D { end -= 1 }
        let content = UnsafeRawBufferPointer(rebasing: line.bytes[..<end])
        if file == nil {
            guard line.startsLine, let name = UUDecoder.nameOfBegin(content) else { return text(line.bytes) }
            let label = AttachmentLabel(
                name: Charset.decode(name, label: nil), declaredType: "application/octet-stream", isInline: true,
                nesting: nesting)
            file = (findings.sink(for: label), Array(line.bytes), false, false)
            return
        }
        if UUDecoder.isEnd(content) { return try self.end(file?.hasLost == true ? .damaged : .whole, text) }
        guard let data = UUDecoder.decode(content, isWhole: isWhole) else {
            // Junk inside is passed over once there was data; without any, the line `begin` was just a word.
            if file?.hasData == false { try self.end(.cut, text) }
            if !content.isEmpty { file?.hasLost = true }
            if isWhole || file == nil { text(line.bytes) }
            return
        }
        file?.hasData = true
        try data.lend { (bytes) throws(MailError) in try file?.sink.write(bytes) }
    }

    private mutating func end(
        _ arrival: Arrival, _ text: (UnsafeRawBufferPointer) -> Void
    ) throws(MailError) {
        guard let file else { return }
        self.file = nil
        if file.hasData {
            findings.add(try file.sink.finish(arrival))
        } else {
            file.begin.lend { text($0) }
        }
    }
}
