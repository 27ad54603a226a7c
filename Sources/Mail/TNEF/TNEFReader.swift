internal import PinpostCore

/// Takes the attachments out of `winmail.dat` as it streams by (MS-OXTNEF).
///
/// Checksums are not compared: senders get them wrong, and a picture tells by itself whether it is whole.
struct TNEFReader {
    static let signature: [UInt8] = [0x78, 0x9F, 0x3E, 0x22]

    private enum State {
        case fileHeader
        case attributeHeader
        /// The rest of an attribute, with its checksum.
        case attribute(Attribute, left: Int)
        case checksum
        /// No attribute has such a level: the rest makes no sense.
        case lost
    }

    private enum Attribute {
        case title, data, properties, codePage, other

        init(_ identifier: Int) {
            switch identifier {
            case 0x1_8010: self = .title
            case 0x6_800F: self = .data
            case 0x6_9005: self = .properties
            case 0x6_9007: self = .codePage
            default: self = .other
            }
        }
    }

    private let findings: any Findings
    private let nesting: Int
    private var state = State.fileHeader
    private var window: [UInt8] = []
    private var attachment: Attachment?
    private var codePage: String?
    private var attachmentCount = 0

    private static let attachmentBegins = 0x6_9002
    private static let mostAttachments = 500
    /// Titles and properties are read up to here, in bytes.
    private static let largestWindow = 256 << 10

    init(findings: any Findings, nesting: Int) {
        self.findings = findings
        self.nesting = nesting
    }

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        var rest = bytes
        while !rest.isEmpty {
            switch state {
            case .lost: return
            case .fileHeader: if gather(6, from: &rest) { next(.attributeHeader) }
            case .checksum: if gather(2, from: &rest) { next(.attributeHeader) }
            case .attributeHeader: if gather(9, from: &rest) { try beginAttribute() }
            case .attribute(let attribute, let left):
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(left))
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(left))
                try take(piece, of: attribute)
                state = .attribute(attribute, left: left - piece.count)
                if piece.count == left { endAttribute(attribute) }
            }
        }
    }

    mutating func finish(_ arrival: Arrival) throws(MailError) {
        if case .attribute = state { return try endAttachment(.cut) }
        try endAttachment(arrival)
    }

    private mutating func gather(_ count: Int, from rest: inout UnsafeRawBufferPointer) -> Bool {
        let missing = count - window.count
        window += rest.prefix(missing)
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(missing))
        return window.count == count
    }

    private mutating func next(_ state: State) {
        window.removeAll(keepingCapacity: true)
        self.state = state
    }

    private mutating func beginAttribute() throws(MailError) {
        let level = window[0]
        let identifier = window.little(1, 4)
        let length = window.little(5, 4)
        guard level == 1 || level == 2 else { return next(.lost) }
        let attribute = Attribute(identifier)
        // Some programs leave out the mark before an attachment.
        let isUnmarked = attribute == .data && (attachment?.hasData ?? true)
        if identifier == Self.attachmentBegins || isUnmarked { try beginAttachment() }
        next(length == 0 ? .checksum : .attribute(attribute, left: length))
    }

    private mutating func take(_ piece: UnsafeRawBufferPointer, of attribute: Attribute) throws(MailError) {
        switch attribute {
        case .data:
            attachment?.hasData = true
            try attachment?.sink.write(piece)
        case .title, .properties, .codePage: window += piece.prefix(Self.largestWindow - window.count)
        case .other: break
        }
    }

    private mutating func endAttribute(_ attribute: Attribute) {
        switch attribute {
        case .title: attachment?.title = window
        case .properties: attachment?.properties = MAPIProperties(window)
        case .codePage where window.count >= 4: codePage = "cp\(window.little(0, 4))"
        case .codePage, .data, .other: break
        }
        next(.checksum)
    }

    private mutating func beginAttachment() throws(MailError) {
        try endAttachment(.whole)
        attachmentCount += 1
        guard attachmentCount <= Self.mostAttachments else { return }
        let label = AttachmentLabel(
            name: nil, declaredType: "application/octet-stream", isInline: false, nesting: nesting)
        attachment = Attachment(sink: findings.sink(inside: label))
    }

    private mutating func endAttachment(_ arrival: Arrival) throws(MailError) {
        guard let ended = attachment else { return }
        attachment = nil
        ended.sink.rename(ended.name(codePage: codePage))
        findings.add(try ended.sink.finish(arrival))
    }

    private struct Attachment {
        let sink: AttachmentSink
        var hasData = false
        var title: [UInt8] = []
        var properties: MAPIProperties?

        /// The long name goes before the title, which some programs cut to eight characters.
        func name(codePage: String?) -> String? {
            let title = Charset.decode(Array(title.prefix { $0 != 0 }), label: codePage)
            return properties?.name(codePage: codePage) ?? (title.isEmpty ? nil : title)
        }
    }
}
