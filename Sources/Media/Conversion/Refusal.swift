import PinpostCore

/// Why a file is not taken, in a sentence that names the format and what to do.
enum Refusal {
    /// Formats that no picture type stands for, by their first bytes.
    private static let others: [(offset: Int, magic: String, name: String, advice: String)] = [
        (0, "%PDF-", "a PDF document", "Send a picture of the page as JPEG or PNG."),
        (4, "ftyp", "a video", "Send a photo, or a still of the video."),
        (4, "moov", "a video", "Send a photo, or a still of the video."),
        (0, "\u{1A}E\u{DF}\u{A3}", "a video", "Send a photo, or a still of the video."),
        (0, "\0\0\u{1}\u{BA}", "a video", "Send a photo, or a still of the video."),
        (0, "0&\u{B2}u", "a video", "Send a photo, or a still of the video."),
        (0, "FLV\u{1}", "a video", "Send a photo, or a still of the video."),
        (0, "OggS", "a video or sound file", "Send a photo, or a still of the video."),
        (0, "RIFF", "a video or sound file", "Send a photo, or a still of the video."),
        (0, "PK\u{3}\u{4}", "a ZIP archive or an office document", "Send the pictures themselves."),
        (0, "Rar!", "an archive", "Send the pictures themselves."),
        (0, "%!PS", "a PostScript file", "Send it as PNG or JPEG."),
        (0, "\u{C5}\u{D0}\u{D3}\u{C6}", "a PostScript file (EPS)", "Send it as PNG or JPEG."),
        (0, "DDS ", "a DDS texture", "Send it as PNG or JPEG."),
        (0, "icns", "an icon file (ICNS)", "Send it as PNG."),
        (128, "DICM", "a DICOM file", "Send it as PNG or JPEG."),
    ]

    /// The error for a file whose first bytes are none of the formats that are taken.
    static func of(_ type: PictureType?, _ file: ArraySlice<UInt8>) -> MediaError {
        guard let type else { return ofOther(file) }
        switch type {
        case .svg: return error("an SVG drawing", "Send it as PNG.")
        case .jp2: return error("a JPEG 2000 picture", "Send it as JPEG or PNG.")
        case .psd: return error("a Photoshop document", "Send it as JPEG or PNG.")
        case .jpeg, .png, .gif, .webp, .heic, .avif, .tiff, .bmp, .ico, .jxl:  // these are taken
            return MediaError(.unsupportedFormat, "The \(type.name) file is of a kind that is not taken.")
        }
    }

    /// Whether the first bytes are of a format that is known and not taken.
    static func names(_ file: ArraySlice<UInt8>) -> Bool { other(file) != nil }

    private static func other(_ file: ArraySlice<UInt8>) -> (name: String, advice: String)? {
        others.first { file.dropFirst($0.offset).starts(with: $0.magic.unicodeScalars.map(\.byte)) }
            .map { ($0.name, $0.advice) }
    }

    private static func ofOther(_ file: ArraySlice<UInt8>) -> MediaError {
        if let other = other(file) { return error(other.name, other.advice) }
        let isMarkup = file.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "<")
        return isMarkup
            ? error("a web page or other text", "Send the picture itself, or the link to the page.")
            : MediaError(
                .unsupportedFormat,
                "The file is no picture that Pinpost knows. Send a JPEG, PNG, GIF, WebP, HEIC, AVIF, TIFF, BMP or JPEG XL picture."
            )
    }

    private static func error(_ name: String, _ advice: String) -> MediaError {
        MediaError(.unsupportedFormat, "The file is \(name), which is not taken. \(advice)")
    }
}

extension Unicode.Scalar {
    /// The byte of the same number, as in Latin-1.
    fileprivate var byte: UInt8 { UInt8(truncatingIfNeeded: value) }
}
