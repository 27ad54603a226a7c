import DecoderProtocol
import PinpostCore

/// One picture on its way from a judged file to a stored one.
struct Conversion {
    let pool: DecoderPool
    let limits: PictureLimits
    let threads: BlockingPool
    let files: PictureFiles
    let options: ConversionOptions
    let original: ConvertedPicture.Shape?

    /// How often a picture is made smaller until its file fits.
    private static let maximumAttempts = 8
    /// A file shrinks a little less than its pixels do.
    private static let margin = 0.95

    /// Finishes a picture that Pinry shows as it is, once it is upright and known to be whole.
    func prepare(_ file: CleanFile, from bytes: ArraySlice<UInt8>) async throws(MediaError) -> ConvertedPicture {
        // GIF needs no decoder: its cleaner has read all pixels.
        guard let codec = file.type.codec, !file.isAnimated else {
            try checkBytes(of: file)
            if let codec = file.type.codec { try await check(file, bytes, codec) }
            return try await store(file, file.opening + file.notes, exif: file.exif)
        }
        if file.coding == .inks { return try await convertInks(file, from: bytes) }
        // The decoder says whether anything but the end of a mended file is missing.
        let bytes = file.coding == .mended ? file.bytes[...] : bytes
        guard file.coding != .rare, file.orientation == .up, limits.reduced(file.size) == nil,
            file.count <= maximumBytes
        else { return try await bake(file, from: bytes, codec) }
        try await check(file, bytes, codec)
        return try await store(file, file.opening + file.notes, exif: file.exif)
    }

    /// Converts HEIC and AVIF: most photos straight from their tiles, the rest through libheif.
    func convert(_ file: HEIFFile) async throws(MediaError) -> ConvertedPicture {
        switch file.route {
        case .libheif(let turn):
            let (result, target) = try await fitting(file.size) { (target) throws(MediaError) in
                try await pool.perform(.convert(.heif, Finish(turn, size: target)), on: file.source)
            }
            return try await store(
                try await judged(result, adding: file.profile), file.actions(result.output, reducedTo: target),
                exif: file.exif)
        case .tiles(let plan):
            let (result, target) = try await fitting(file.size) { (target) throws(MediaError) in
                try await pool.perform(.joinTiles(plan.reduced(to: target)), on: file.source)
            }
            return try await store(result, file, file.actions(result.output, reducedTo: target))
        }
    }

    /// Converts a format that Pinry does not show.
    func convert(_ file: ForeignFile) async throws(MediaError) -> ConvertedPicture {
        let (result, target) = try await fitting(file.size) { (target) throws(MediaError) in
            try await pool.perform(
                .convert(file.format, Finish(file.orientation, size: target)), on: PictureSource(file.bytes))
        }
        return try await store(
            try await judged(result, adding: file.profile), file.actions(result.output, reducedTo: target),
            exif: file.exif)
    }

    /// Draws a card; an icon that breaks its decoder is left out.
    func draw(_ card: Card, icon: [UInt8]) async throws(MediaError) -> ConvertedPicture {
        do throws(MediaError) {
            return try await draw(card, PictureSource(icon[...]))
        } catch {
            guard !icon.isEmpty, !error.isTransient else { throw error }
            return try await draw(card, PictureSource([]))
        }
    }

    private func draw(_ card: Card, _ icon: PictureSource) async throws(MediaError) -> ConvertedPicture {
        let result = try await pool.perform(.drawCard(card), on: icon)
        return try await store(try await judged(result, adding: nil), ["drew card"], exif: nil)
    }
}

/// Pictures that are there already in a format that Pinry shows.
extension Conversion {
    private func check(_ file: CleanFile, _ bytes: ArraySlice<UInt8>, _ codec: Codec) async throws(MediaError) {
        let (output, _) = try await pool.perform(.check(codec), on: PictureSource(bytes))
        guard (output.width, output.height) == (file.width, file.height) else {
            throw .damaged(file.type, "its sizes contradict each other")
        }
    }

    /// Turns a picture upright, and makes it smaller where it has to be.
    private func bake(
        _ file: CleanFile, from bytes: ArraySlice<UInt8>, _ codec: Codec
    ) async throws(MediaError) -> ConvertedPicture {
        let (result, target) = try await fitting(file.size) { (target) throws(MediaError) in
            try await pool.perform(.bake(codec, Finish(file.orientation, size: target)), on: PictureSource(bytes))
        }
        let (output, full) = (result.output, file.size.upright(file.orientation))
        var actions = file.opening
        if file.orientation != .up { actions.append(file.orientation.description) }
        if target == nil {
            // One of them is 0: only the side that comes to lie left or above is cut.
            let cut = full.width - output.width + full.height - output.height
            if cut > 0 { actions.append("cut off \(cut) pixels at an edge") }
        } else {
            actions.append("scaled to \(output.width) x \(output.height)")
        }
        if !output.traits.contains(.lossless), codec != .png { actions.append("encoded again") }
        return try await store(
            try await judged(result, adding: file.profile), actions + file.removals + file.profileNote, exif: file.exif)
    }

    private func convertInks(
        _ file: CleanFile, from bytes: ArraySlice<UInt8>
    ) async throws(MediaError) -> ConvertedPicture {
        let (result, target) = try await fitting(file.size) { (target) throws(MediaError) in
            try await pool.perform(
                .convert(.inkJPEG, Finish(file.orientation, size: target)), on: PictureSource(bytes))
        }
        var actions = file.opening
        if file.orientation != .up { actions.append(file.orientation.description) }
        actions += result.output.notes(reducedTo: target) + ["encoded again"] + file.removals
        return try await store(try await judged(result, adding: nil), actions, exif: file.exif)
    }

    /// An animation is not made smaller.
    private func checkBytes(of file: CleanFile) throws(MediaError) {
        guard file.count <= maximumBytes else {
            throw MediaError(
                .overLimit,
                "The \(file.type.name) animation is too large for this Pinry: \(file.count >> 10) KiB; it takes up to "
                    + "\(maximumBytes >> 10) KiB. \(sizeAdvice)")
        }
    }
}

/// What all ways have in common.
extension Conversion {
    private typealias Made = (output: Output, file: OwnedDescriptor)

    private var maximumBytes: Int { min(options.maximumBytes ?? .max, limits.outputBytes) }

    private var sizeAdvice: String {
        options.maximumBytes == nil
            ? "Send a smaller one." : "Send a smaller one, or raise client_max_body_size of the server."
    }

    /// Has a picture made, and made smaller until it and its file are below the limits.
    ///
    /// A picture of pure noise is larger as a file than its pixels suggest.
    private func fitting(
        _ size: PictureSize, _ make: (PictureSize?) async throws(MediaError) -> Made
    ) async throws(MediaError) -> (made: Made, target: PictureSize?) {
        var target = limits.reduced(size)
        for _ in 0..<Self.maximumAttempts {
            let made = try await make(target)
            guard made.output.byteCount > maximumBytes else { return (made, target) }
            let ratio = Double(made.output.byteCount) / Double(maximumBytes)
            target = (target ?? size).divided(by: ratio.squareRoot() / Self.margin)
        }
        throw MediaError(
            .overLimit,
            "The picture cannot be made small enough for this Pinry, which takes up to "
                + "\(maximumBytes >> 10) KiB. \(sizeAdvice)")
    }

    /// What a decoder made is judged like any other file: the picture may have taken the process over.
    private func judged(_ made: Made, adding profile: ICCProfile?) async throws(MediaError) -> CleanFile {
        let wrapped = profile.map { made.output.codec == .png ? PNGProfile.chunk($0) : JPEGProfile.segments($0) }
        return try await judged(made, adding: wrapped ?? [])
    }

    private func judged(_ made: Made, adding profile: [ArraySlice<UInt8>]) async throws(MediaError) -> CleanFile {
        let (limits, output) = (limits, made.output)
        return try await threads.run { () throws(MediaError) in
            guard let bytes = made.file.contents(0..<output.byteCount) else { throw .brokenPromise }
            let type = output.codec.type
            guard PictureType.sniff(Array(bytes.prefix(PictureType.prefixLength))) == type,
                let file = try type.cleaner?.clean(bytes[...], adding: profile, limits: limits), file.coding == .plain,
                (file.width, file.height) == (output.width, output.height)
            else { throw .strangeOutput }
            return file
        }
    }

    private func camera(_ exif: ExifSummary?, in type: PictureType) -> ArraySlice<UInt8>? {
        options.keepsCamera ? exif?.camera.piece(for: type) : nil
    }

    private func store(
        _ file: CleanFile, _ actions: [String], exif: ExifSummary?
    ) async throws(MediaError) -> ConvertedPicture {
        try limits.checkShape(width: file.width, height: file.height)
        var (file, actions) = (file, actions)
        if let piece = camera(exif, in: file.type) {
            file.insert(piece)
            actions.append("kept camera and date")
        }
        let (files, finished) = (files, file)
        let bytes = try await threads.run { () throws(MediaError) in try files.store(finished) }
        return ConvertedPicture(
            bytes: bytes, shape: finished.shape, original: original,
            actions: actions.isEmpty ? ["passed unchanged"] : actions)
    }

    /// Stores a JPEG that was joined of tiles, piece by piece.
    private func store(
        _ made: Made, _ file: HEIFFile, _ actions: [String]
    ) async throws(MediaError) -> ConvertedPicture {
        let output = made.output
        try limits.checkShape(width: output.width, height: output.height)
        let (files, jpeg) = (files, DecodedJPEG(made.file, output))
        let camera = camera(file.exif, in: .jpeg)
        let additions = (camera.map { [$0] } ?? []) + (file.profile.map(JPEGProfile.segments) ?? [])
        let bytes = try await threads.run { () throws(MediaError) in
            try files.store { (write) throws(MediaError) in try jpeg.copy(adding: additions, write) }
        }
        return ConvertedPicture(
            bytes: bytes, shape: .init(type: .jpeg, width: output.width, height: output.height), original: original,
            actions: actions + (camera == nil ? [] : ["kept camera and date"]))
    }
}

extension CleanFile {
    /// What was done to the file before anything else.
    var opening: [String] {
        let coding: String? =
            switch coding {
            case .plain: nil
            case .rare: "decoded rare jpeg"
            case .inks: "converted cmyk"
            case .mended: "added missing end"
            }
        return [first, coding].compactMap(\.self)
    }

    var removals: [String] { removed.map { "removed \($0)" } }
    var profileNote: [String] { profile.isEmpty ? [] : ["kept icc profile"] }

    /// What was done to a file whose pixels were left alone; nothing where all of it was kept.
    var notes: [String] { removed.isEmpty ? [] : removals + profileNote }
}
