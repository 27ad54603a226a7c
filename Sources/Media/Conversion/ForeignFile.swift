import DecoderProtocol
import PinpostCore

/// A picture in a format that Pinry does not show, judged and ready for a decoder.
struct ForeignFile {
    let type: PictureType
    let format: Foreign
    let size: PictureSize
    /// What the decoder has to do to the pixels; JPEG XL is turned without being told.
    var orientation = Orientation.up
    var profile: ICCProfile?
    var exif: ExifSummary?
    /// What else is worth telling.
    var notes: [String] = []
    /// What the decoder reads.
    let bytes: ArraySlice<UInt8>

    init(_ type: PictureType, _ format: Foreign, _ size: PictureSize, _ bytes: ArraySlice<UInt8>) {
        (self.type, self.format, self.size, self.bytes) = (type, format, size, bytes)
    }

    /// Reads and judges a file.
    /// - Returns: nil for a type that is not foreign.
    /// - Throws: `.damaged`, `.overLimit` or `.unsupportedFormat`, before any decoder has seen a byte.
    init?(_ file: ArraySlice<UInt8>, _ type: PictureType, _ limits: PictureLimits) throws(MediaError) {
        switch type {
        case .tiff:
            let tiff = try TIFFFile(file, limits: limits)
            self.init(type, .tiff, tiff.size, file)
            (orientation, profile) = (tiff.orientation, tiff.profile)
            exif = tiff.exif
        case .bmp:
            let bitmap = try BitmapFile(file, limits: limits)
            self.init(type, .bitmap, bitmap.size, file)
            profile = bitmap.profile
        case .jxl: self.init(type, .jpegXL, try JXLFile(file, limits: limits).size, file)
        default: return nil
        }
    }

    init(_ icon: IconFile) {
        self.init(.ico, .icon, icon.size, icon.picture)
        if icon.count > 1 { notes = ["took 1 of \(icon.count) pictures"] }
    }

    /// What was done with the file, in short words and in order.
    func actions(_ output: Output, reducedTo target: PictureSize?) -> [String] {
        var actions = ["decoded \(type.name.lowercased())"]
        if orientation != .up { actions.append(orientation.description) }
        actions += output.notes(reducedTo: target) + notes
        if exif?.hasGPS == true { actions.append("removed gps") }
        if profile != nil { actions.append("kept icc profile") }
        return actions
    }
}
