public import PinpostCore

/// Reads a mail: what in it becomes pins, what does not and why.
///
/// The mail streams through; pictures go straight to the blob store. Everything blocks: call it on a `BlockingPool`.
public struct MailReader: Sendable {
    public let limits: MailLimits

    public init(limits: MailLimits = MailLimits()) { self.limits = limits }

    /// Whether a file that begins with these bytes is a mail rather than something else: some hundred bytes decide.
    public static func recognises(_ head: [UInt8]) -> Bool { HeaderBlock.isBegun(in: head) }

    /// Reads a whole mail, in memory that does not grow with it.
    ///
    /// What `items` refers to is stored in `blobs` and belongs to the caller; after an error nothing is left there. A
    /// leading `[Name]` counts only where `knownBoards` has such a name; the sender is proven only by `servers`. Of
    /// layout pictures those among the `usual` are left out where there is anything else.
    public func read(
        _ source: any BlobReader, into blobs: any BlobStore, knownBoards: [String] = [],
        trusting servers: [AuthServerPattern] = [], usual: Set<[UInt8]> = []
    ) throws(MailError) -> MessageContent {
        let collector = PartCollector(limits: limits, blobs: blobs)
        do {
            try parse(source, collector)
        } catch {
            collector.discardAll()
            throw error
        }
        var content = MailSelection(collector, limits: limits, knownBoards: knownBoards, usual: usual)
            .content(discardingInto: blobs)
        content.sender = SenderCheck.verdict(on: collector.header, trusting: servers)
        return content
    }

    private func parse(_ source: any BlobReader, _ collector: PartCollector) throws(MailError) {
        var stream = MIMEStream(limits: limits, handler: collector)
        var piece = try start(of: source)
        let isOld = Self.endsLinesWithCR(piece)
        var count = 0
        while !piece.isEmpty {
            count += piece.count
            guard count <= limits.messageBytes else {
                throw MailError(.overLimit, "more than \(limits.messageBytes >> 20) MiB")
            }
            if isOld { piece = piece.map { $0 == 0x0D ? 0x0A : $0 } }
            try piece.lend { (bytes) throws(MailError) in try stream.take(bytes) }
            piece = try read(source, upTo: Self.pieceLength)
        }
        try stream.finish()
        guard !collector.header.fields.isEmpty else {
            throw MailError(.notAMail, count == 0 ? "it is empty" : "it has no header")
        }
    }

    /// A whole piece, however little the source gives at a time; less only of a mail that is shorter.
    private func start(of source: any BlobReader) throws(MailError) -> [UInt8] {
        var start: [UInt8] = []
        while start.count < Self.pieceLength {
            let more = try read(source, upTo: Self.pieceLength - start.count)
            guard !more.isEmpty else { break }
            start += more
        }
        return start
    }

    private func read(_ source: any BlobReader, upTo limit: Int) throws(MailError) -> [UInt8] {
        do { return try source.read(upTo: limit) } catch { throw MailError(error) }
    }

    /// Whether the start of a mail comes from a system that ends its lines so: no header is without any LF.
    private static func endsLinesWithCR(_ piece: [UInt8]) -> Bool { piece.contains(0x0D) && !piece.contains(0x0A) }

    private static let pieceLength = 64 << 10
}
