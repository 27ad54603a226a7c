import DecoderProtocol
import PinpostCore

/// Formats that are read only: their gates have found out what there is to tell.
enum ForeignFacts {
    static func read(_ file: ArraySlice<UInt8>, into facts: inout PictureFacts) {
        var limits = PictureLimits()
        // What is too large shall be described too.
        (limits.pixels, limits.wholePixels) = (.max, .max)
        if facts.type == .tiff, TIFFFile.isRaw(file) {
            facts.take(exif: file)
            return facts.add("raw data")
        }
        if facts.type == .ico {
            guard let icon = try? IconFile(file, limits: limits) else { return }
            if icon.isPNG {
                try? PNGFacts.read(icon.picture, into: &facts)
            } else {
                facts.size = .init(width: icon.size.width, height: icon.size.height)
            }
            if icon.count > 1 { facts.add("smaller pictures") }
            return
        }
        guard let picture = try? ForeignFile(file, facts.type, limits) else { return }
        facts.size = .init(width: picture.size.width, height: picture.size.height)
        if facts.type == .tiff { facts.take(exif: file) }
        if let profile = picture.profile { facts.colour.take(profile) }
    }
}
