import CFontconfig
import CPango
import DecoderProtocol

/// The few fonts that cards use: the same on every machine, and read before the sandbox closes.
enum CardFonts {
    /// In order of preference; the later ones lend the letters that the first lacks.
    ///
    /// The emoji font is left out: it has digits too, and would lend them. Pango finds it for emoji by itself.
    static let families = "Inter,Noto Sans Arabic,Noto Sans Devanagari,DejaVu Sans,Droid Sans Fallback,NanumGothic"

    /// Only upright faces of the two weights; user and system settings are left out, so a card is always the same.
    ///
    /// Ten files at most: Cairo closes the oldest when it opens an eleventh, and could not open it again in the sandbox.
    private static let settings = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
        <fontconfig>
        <cachedir>/var/cache/fontconfig</cachedir>
        <dir>/usr/share/fonts/opentype/inter</dir>
        <dir>/usr/share/fonts/truetype/dejavu</dir>
        <dir>/usr/share/fonts/truetype/droid</dir>
        <dir>/usr/share/fonts/truetype/nanum</dir>
        <dir>/usr/share/fonts/truetype/noto</dir>
        <selectfont>
        <acceptfont><glob>*/Inter-Regular.*</glob></acceptfont>
        <acceptfont><glob>*/Inter-Bold.*</glob></acceptfont>
        <acceptfont><glob>*/DejaVuSans.ttf</glob></acceptfont>
        <acceptfont><glob>*/DroidSansFallbackFull.ttf</glob></acceptfont>
        <acceptfont><glob>*/NotoColorEmoji.ttf</glob></acceptfont>
        <acceptfont><glob>*/NotoSansArabic-Bold.ttf</glob></acceptfont>
        <acceptfont><glob>*/NotoSansDevanagari-Regular.ttf</glob></acceptfont>
        <acceptfont><glob>*/NotoSansDevanagari-Bold.ttf</glob></acceptfont>
        <acceptfont><glob>*/NanumGothic.ttf</glob></acceptfont>
        <acceptfont><glob>*/NotoSansThai-Bold.ttf</glob></acceptfont>
        <rejectfont><glob>*</glob></rejectfont>
        </selectfont>
        <!-- Pango marks emoji with this language; other fonts have some of them in black and white. -->
        <match target="pattern">
        <test name="lang" compare="contains"><string>und-zsye</string></test>
        <edit name="color" mode="assign"><bool>true</bool></edit>
        <edit name="family" mode="prepend" binding="strong"><string>Noto Color Emoji</string></edit>
        </match>
        <!-- The emoji are bitmaps of one size; this brings them to the size of the letters. -->
        <match target="font">
        <test name="outline"><bool>false</bool></test>
        <edit name="pixelsizefixupfactor" mode="assign">
        <divide><name target="pattern">pixelsize</name><name target="font">pixelsize</name></divide>
        </edit>
        <edit name="matrix" mode="assign">
        <times><name>matrix</name><matrix><name>pixelsizefixupfactor</name><double>0</double>
        <double>0</double><name>pixelsizefixupfactor</name></matrix></times>
        </edit>
        </match>
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
        let samples = ["A", "\u{4E00}", "\u{1F389}", "\u{0627}", "\u{0905}", "\u{0E01}", "\u{AC00}"]
        return samples.first { $0.unicodeScalars.allSatisfy { FcCharSetHasChar(letters, $0.value) != 0 } } ?? "A"
    }
}
