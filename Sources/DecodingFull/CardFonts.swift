import CFontconfig
import CPango
import DecoderProtocol

/// The few fonts that cards use: the same on every machine, and read before the sandbox closes.
enum CardFonts {
    /// In order of preference; the later ones lend the letters that the first lacks.
    static let families = "Inter,DejaVu Sans,Droid Sans Fallback"

    /// Only upright faces of the two weights; user and system settings are left out, so a card is always the same.
    private static let settings = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
        <fontconfig>
        <cachedir>/var/cache/fontconfig</cachedir>
        <dir>/usr/share/fonts/opentype/inter</dir>
        <dir>/usr/share/fonts/truetype/dejavu</dir>
        <dir>/usr/share/fonts/truetype/droid</dir>
        <selectfont>
        <acceptfont><glob>*/Inter-Regular.*</glob></acceptfont>
        <acceptfont><glob>*/Inter-Bold.*</glob></acceptfont>
        <acceptfont><glob>*/DejaVuSans.ttf</glob></acceptfont>
        <acceptfont><glob>*/DejaVuSans-Bold.ttf</glob></acceptfont>
        <acceptfont><glob>*/DroidSansFallbackFull.ttf</glob></acceptfont>
        <rejectfont><glob>*</glob></rejectfont>
        </selectfont>
        </fontconfig>
        """

    /// Makes exactly these fonts current and draws a letter of each, which maps its file into memory.
    /// - Throws: `.notInstalled` when none of them is there.
    static func load() throws(Failure) {
        guard let configuration = FcConfigCreate() else { throw Failure(.notInstalled, "fontconfig failed") }
        let parsed = settings.withCString { text in
            text.withMemoryRebound(to: FcChar8.self, capacity: settings.utf8.count) {
                FcConfigParseAndLoadFromMemory(configuration, $0, 0)
            }
        }
        guard parsed != 0, FcConfigBuildFonts(configuration) != 0, FcConfigSetCurrent(configuration) != 0,
            let fonts = FcConfigGetFonts(configuration, FcSetSystem), fonts.pointee.nfont > 0
        else { throw Failure(.notInstalled, "no font for cards: install fonts-inter or fonts-dejavu-core") }
        try warm(fonts.pointee)
    }

    private static func warm(_ fonts: FcFontSet) throws(Failure) {
        let canvas = try Canvas(width: 64, height: 64)
        for index in 0..<Int(fonts.nfont) {
            guard let pattern = fonts.fonts[index], let family = text(FC_FAMILY, of: pattern) else { continue }
            var weight: CInt = 0
            FcPatternGetInteger(pattern, FC_WEIGHT, 0, &weight)
            canvas.draw(
                TextStyle(families: family, pixels: 40, isBold: weight > FC_WEIGHT_MEDIUM), sample(of: pattern))
        }
    }

    private static func text(_ property: String, of pattern: OpaquePointer) -> String? {
        var value: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetString(pattern, property, 0, &value) == FcResultMatch, let value else { return nil }
        return String(cString: value)
    }

    /// A letter that the font really has: Latin, or the first ideograph.
    private static func sample(of pattern: OpaquePointer) -> String {
        var letters: OpaquePointer?
        guard FcPatternGetCharSet(pattern, FC_CHARSET, 0, &letters) == FcResultMatch else { return "A" }
        return FcCharSetHasChar(letters, 0x41) != 0 ? "A" : "\u{4E00}"
    }
}
