import DecoderProtocol
public import PinpostCore

/// Makes pictures that Pinry takes: judged and cleaned here in Swift, decoded in a process of their own.
public struct SandboxedPictureConverter: PictureConverter {
    private let pool: DecoderPool
    private let files: PictureFiles
    private let limits: PictureLimits
    /// For work on whole files, which would hold up Swift's own threads.
    private let threads = BlockingPool(width: 2)

    /// Decodes in the processes of `pool`, which its owner runs; pictures come from `blobs` and results go there.
    public init(_ pool: DecoderPool, storingIn blobs: any BlobStore, limits: PictureLimits = PictureLimits()) {
        (self.pool, self.limits) = (pool, limits)
        files = PictureFiles(blobs: blobs, limits: limits)
    }

    /// Converts where Pinry would not show the picture, turns it upright, and leaves out what tells about people.
    public func convert(_ picture: StoredBytes) async throws(MediaError) -> ConvertedPicture {
        let (files, limits) = (files, limits)
        let survey = try await threads.run { () throws(MediaError) -> Survey in
            try Survey(try files.open(picture), limits)
        }
        switch survey {
        case .plain(let file, let bytes):
            return try await stored(try await prepared(file, from: bytes), original: survey.shape)
        case .heif(let file): return try await converted(file, original: survey.shape)
        }
    }

    public func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture {
        let scheme = text.url.firstRange(of: "://")
        let footer = String(text.url[(scheme?.upperBound ?? text.url.startIndex)...])
        let card = Card(domain: text.domain, title: text.title, footer: footer, site: text.site)
        let (output, bytes) = try await pool.perform(.drawCard(card))
        return try await stored(Result(try await judged(output, bytes, adding: []), ["drew card"]), original: nil)
    }

    private struct Result {
        let file: CleanFile
        let actions: [String]

        init(_ file: CleanFile, _ actions: [String]) { (self.file, self.actions) = (file, actions) }
    }

    /// A picture that Pinry shows as it is, once it is upright and known to be whole.
    private func prepared(
        _ file: CleanFile, from bytes: ArraySlice<UInt8>
    ) async throws(MediaError) -> Result {
        let removals = file.removed.map { "removed \($0)" }
        let notes = removals + (file.profile.isEmpty ? [] : ["kept icc profile"])
        // GIF needs no decoder: its cleaner has read all pixels.
        guard let codec = file.type.codec else {
            return Result(file, removals.isEmpty ? ["passed unchanged"] : notes)
        }
        guard file.orientation != .up, !file.isAnimated else {
            let (output, _) = try await pool.perform(.check(codec), on: bytes)
            guard (output.width, output.height) == (file.width, file.height) else {
                throw .damaged(file.type, "its sizes contradict each other")
            }
            return Result(file, removals.isEmpty ? ["passed unchanged"] : notes)
        }
        let (output, turned) = try await pool.perform(.bake(codec, file.orientation), on: bytes)
        let upright = try await judged(output, turned, adding: file.profile)
        let encoding = output.traits.contains(.lossless) || codec == .png ? [] : ["encoded again"]
        return Result(upright, [file.orientation.description] + encoding + notes)
    }

    private func converted(
        _ file: HEIFFile, original: ConvertedPicture.Shape
    ) async throws(MediaError) -> ConvertedPicture {
        switch file.route {
        case .library(let turn):
            let reduction = limits.reduction(of: file.size)
            let (output, written) = try await pool.perform(
                .convertHEIF(turn, reduction: reduction), on: file.source)
            guard let bytes = written.contents(0..<output.byteCount) else { throw .brokenPromise }
            let profile = file.profile.map { output.codec == .png ? PNGProfile.chunk($0) : JPEGProfile.segments($0) }
            let clean = try await judged(output, bytes, adding: profile ?? [])
            return try await stored(Result(clean, file.actions(output, reduction: reduction)), original: original)
        case .tiles(let plan):
            let (output, written, reduction) = try await joined(plan, file)
            try limits.checkShape(width: output.width, height: output.height)
            let (files, jpeg) = (files, DecodedJPEG(written, output))
            let profile = file.profile.map(JPEGProfile.segments) ?? []
            let bytes = try await threads.run { () throws(MediaError) in
                try files.store { (write) throws(MediaError) in try jpeg.copy(adding: profile, write) }
            }
            return ConvertedPicture(
                bytes: bytes, shape: .init(type: .jpeg, width: output.width, height: output.height),
                original: original, actions: file.actions(output, reduction: reduction))
        }
    }

    /// Joins tiles, and makes the picture smaller until it and its file are below the limits.
    private func joined(
        _ plan: TilePlan, _ file: HEIFFile
    ) async throws(MediaError) -> (output: Output, written: OwnedDescriptor, reduction: Int) {
        var reduction = limits.reduction(of: file.size)
        while true {
            let (output, written) = try await pool.perform(.joinTiles(plan.reduced(by: reduction)), on: file.source)
            // A picture of pure noise is larger as a file than its pixels suggest.
            guard output.byteCount > limits.outputBytes, reduction < TilePlan.maximumReduction else {
                return (output, written, reduction)
            }
            reduction += 1
        }
    }

    /// What a decoder made is judged like any other file: the picture may have taken the process over.
    private func judged(
        _ output: Output, _ bytes: [UInt8], adding profile: [ArraySlice<UInt8>]
    ) async throws(MediaError) -> CleanFile {
        let limits = limits
        return try await threads.run { () throws(MediaError) in
            let type = output.codec.type
            guard PictureType.sniff(Array(bytes.prefix(PictureType.prefixLength))) == type,
                let file = try type.cleaner?.clean(bytes[...], adding: profile, limits: limits),
                (file.width, file.height) == (output.width, output.height)
            else { throw .strangeOutput }
            return file
        }
    }

    private func stored(
        _ result: Result, original: ConvertedPicture.Shape?
    ) async throws(MediaError) -> ConvertedPicture {
        try limits.checkShape(width: result.file.width, height: result.file.height)
        let files = files
        let bytes = try await threads.run { () throws(MediaError) in try files.store(result.file) }
        return ConvertedPicture(bytes: bytes, shape: result.file.shape, original: original, actions: result.actions)
    }
}
