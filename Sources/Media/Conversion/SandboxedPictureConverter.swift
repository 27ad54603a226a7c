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
    ///
    /// What is too large in pixels or bytes is made smaller, unless it is animated.
    public func convert(
        _ picture: StoredBytes, _ options: ConversionOptions = ConversionOptions()
    ) async throws(MediaError) -> ConvertedPicture {
        let (files, limits) = (files, limits)
        let survey = try await threads.run { () throws(MediaError) -> Survey in
            try Survey(try files.open(picture), limits)
        }
        let conversion = Conversion(
            pool: pool, limits: limits, threads: threads, files: files, options: options, original: survey.shape)
        switch survey {
        case .plain(let file, let bytes): return try await conversion.prepare(file, from: bytes)
        case .heif(let file): return try await conversion.convert(file)
        case .foreign(let file): return try await conversion.convert(file)
        }
    }

    public func card(_ text: CardText) async throws(MediaError) -> ConvertedPicture {
        let scheme = text.url.firstRange(of: "://")
        let footer = String(text.url[(scheme?.upperBound ?? text.url.startIndex)...])
        let card = Card(domain: text.domain, title: text.title, footer: footer, site: text.site)
        let drawing = Conversion(
            pool: pool, limits: limits, threads: threads, files: files, options: ConversionOptions(), original: nil)
        return try await drawing.draw(card, icon: text.icon)
    }
}
