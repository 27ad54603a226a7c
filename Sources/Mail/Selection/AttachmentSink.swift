internal import PinpostCore

/// Takes the bytes of one piece of content: a picture goes to the blob store, anything else is only counted.
///
/// The first bytes decide; label and name are never believed.
final class AttachmentSink {
    private enum State {
        case undecided
        case picture(PictureType, any BlobWriter)
        case container(TNEFReader)
        /// A picture that no browser may be given as one.
        case drawing
        case other
    }

    private var label: AttachmentLabel
    private let blobs: any BlobStore
    private let limit: Int
    /// Takes what is in a container; nil where containers are not opened.
    private let findings: (any Findings)?
    private var state = State.undecided
    private var head: [UInt8] = []
    private var count = 0
    private var probe: PictureProbe?

    /// Makes a sink that takes pictures of up to `limit` bytes.
    init(_ label: AttachmentLabel, blobs: any BlobStore, limit: Int, findings: (any Findings)?) {
        self.label = label
        self.blobs = blobs
        self.limit = limit
        self.findings = findings
    }

    /// Gives the name, where it becomes known behind the content.
    func rename(_ name: String?) { label.rename(name) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        guard case .undecided = state else { return try take(bytes) }
        let missing = PictureType.prefixLength - head.count
        head += bytes.prefix(missing)
        guard head.count == PictureType.prefixLength else { return }
        try decide()
        try take(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing)))
    }

    /// Ends the content and says what it was.
    func finish(_ arrival: Arrival) throws(MailError) -> Finding {
        if case .undecided = state { try decide() }
        if case .container(var reader) = state { try reader.finish(arrival) }
        guard case .picture(let type, let writer) = state else { return .skipped(skipped()) }
        guard count <= limit else {
            writer.discard()
            return .skipped(
                SkippedPart(
                    .image, name: label.name, type: type.mimeType, bytes: count,
                    reason: "larger than \(limit >> 20) MiB", isLoss: true))
        }
        do {
            let stored = try writer.finish()
            return .picture(
                PictureCandidate(
                    label: label, type: type, bytes: stored, size: probe?.size, fault: fault(arrival)))
        } catch {
            throw MailError(error)
        }
    }

    /// The mail is judged, not the file in it: what a picture lacked before it was sent is left to its decoder.
    private func fault(_ arrival: Arrival) -> String? {
        guard arrival != .damaged else { return "the picture was damaged on its way" }
        let isThere =
            switch probe?.isComplete {
            case true?: true
            case false?: arrival == .whole && probe?.hasPixels == true
            // Only the mail can tell.
            case nil: arrival != .cut
            }
        return isThere ? nil : "the picture is cut off"
    }

    /// Forgets what was written.
    func discard() {
        if case .picture(_, let writer) = state { writer.discard() }
        state = .other
    }

    private func decide() throws(MailError) {
        let type = PictureType.sniff(head)
        if type == .svg {
            state = .drawing
        } else if let type {
            state = .picture(type, blobs.makeWriter())
            probe = PictureProbe(type)
        } else if let findings, head.starts(with: TNEFReader.signature) {
            state = .container(TNEFReader(findings: findings, nesting: label.nesting))
        } else {
            state = .other
        }
        let bytes = head
        head = []
        try bytes.lend { (bytes) throws(MailError) in try take(bytes) }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(MailError) {
        count += bytes.count
        switch state {
        case .picture(_, let writer):
            guard count <= limit, !bytes.isEmpty else { return }
            probe?.take(bytes)
            do { try writer.write(bytes) } catch { throw MailError(error) }
        case .container(var reader):
            state = .other  // Gives up the copy, so that the reader's window stays unshared.
            try reader.take(bytes)
            state = .container(reader)
        case .undecided, .drawing, .other: break
        }
    }

    private func skipped() -> SkippedPart {
        let kind: SkippedPart.Kind = label.claimsPicture ? .image : .file
        let reason =
            switch state {
            case .drawing: "drawings in SVG are not pinned"
            case .container: "a container (TNEF); what is in it is listed by itself"
            case .undecided, .picture, .other: count == 0 ? "the attachment is empty" : SkipReason.ofContent(label)
            }
        // A drawing of the layout is no loss, one that was attached is.
        let isWanted = kind == .image && (label.isAttached || label.contentID == nil)
        return SkippedPart(
            kind, name: label.name, type: label.declaredType, bytes: count, reason: reason,
            isLoss: isWanted || SkipReason.isClosed(label))
    }
}

/// Why content that is no picture is left out, in words for the sender.
enum SkipReason {
    /// Whether nobody but the receiver can see what is in it.
    static func isClosed(_ label: AttachmentLabel) -> Bool {
        label.isSMIME || label.declaredType == "application/pgp-encrypted"
    }

    static func ofContent(_ label: AttachmentLabel) -> String {
        if label.isEncrypted { return "encrypted; send it unencrypted" }
        if label.isSMIME { return "encrypted or unreadable S/MIME; send it unencrypted" }
        switch label.declaredType {
        case "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature":
            return "a signature"
        case "application/pgp-encrypted": return "encrypted by PGP; send it unencrypted"
        case "message/partial", "message/external-body": return "unsupported: \(label.declaredType)"
        default: break
        }
        return label.claimsPicture ? "not a picture, or in a format that is not taken" : "not a picture"
    }
}
