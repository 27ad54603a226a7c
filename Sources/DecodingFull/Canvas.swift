import CPango
import DecoderProtocol
import Decoding

/// Owns a Cairo surface and its drawing context.
final class Canvas {
    private let surface: OpaquePointer
    private let context: OpaquePointer

    init(width: Int, height: Int) throws(Failure) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, CInt(width), CInt(height)),
            let context = cairo_create(surface), cairo_status(context) == CAIRO_STATUS_SUCCESS
        else { throw Failure(.internalFault, "Cairo failed") }
        (self.surface, self.context) = (surface, context)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// Lends what was drawn, as rows of B, G, R and an unused byte; it lives at least until `body` returns.
    func withPixels<Result>(_ body: (RasterView) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        cairo_surface_flush(surface)
        return try body(
            RasterView(
                base: UnsafeRawPointer(cairo_image_surface_get_data(surface)),
                width: Int(cairo_image_surface_get_width(surface)),
                height: Int(cairo_image_surface_get_height(surface)),
                stride: Int(cairo_image_surface_get_stride(surface)), bytesPerPixel: 4))
    }

    /// What was drawn, as a PNG file.
    func png() throws(Failure) -> [UInt8] {
        defer { withExtendedLifetime(self) {} }
        var file: [UInt8] = []
        let status = withUnsafeMutablePointer(to: &file) { cairo_surface_write_to_png_stream(surface, appendBytes, $0) }
        guard status == CAIRO_STATUS_SUCCESS else { throw Failure(.internalFault, "Cairo wrote no PNG") }
        return file
    }

    func fill(_ color: Color) {
        use(color)
        cairo_paint(context)
    }

    func fill(_ corners: [(x: Double, y: Double)], _ color: Color) {
        use(color)
        for (index, corner) in corners.enumerated() {
            index == 0 ? cairo_move_to(context, corner.x, corner.y) : cairo_line_to(context, corner.x, corner.y)
        }
        cairo_close_path(context)
        cairo_fill(context)
    }

    /// The size of a text in whole pixels.
    func size(_ style: TextStyle, _ text: String) -> (width: Double, height: Double) {
        withLayout(style, text) { layout in
            var (width, height): (CInt, CInt) = (0, 0)
            pango_layout_get_pixel_size(layout, &width, &height)
            return (Double(width), Double(height))
        }
    }

    /// Whether the fonts have every letter of a text.
    func canShow(_ text: String) -> Bool {
        withLayout(TextStyle(pixels: 30), text) { pango_layout_get_unknown_glyphs_count($0) == 0 }
    }

    /// Draws a text with its upper left corner at `x`, `y`.
    func draw(_ style: TextStyle, _ text: String, x: Double = 0, y: Double = 0, _ color: Color = .white) {
        use(color)
        cairo_move_to(context, x, y)
        withLayout(style, text) { pango_cairo_show_layout(context, $0) }
    }

    /// Lends the drawing context.
    func withContext(_ body: (OpaquePointer) -> Void) { body(context) }

    private func use(_ color: Color) { cairo_set_source_rgb(context, color.red, color.green, color.blue) }

    private func withLayout<Result>(_ style: TextStyle, _ text: String, _ body: (OpaquePointer?) -> Result) -> Result {
        let layout = pango_cairo_create_layout(context)
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, style.families)
        pango_font_description_set_absolute_size(font, style.pixels * Double(PANGO_SCALE))
        pango_font_description_set_weight(font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_layout_set_font_description(layout, font)
        pango_layout_set_auto_dir(layout, style.isAddress ? 0 : 1)
        if style.isAddress { pango_context_set_base_dir(pango_layout_get_context(layout), PANGO_DIRECTION_LTR) }
        if style.isAddress, text.startsRightToLeft { pango_layout_set_alignment(layout, PANGO_ALIGN_RIGHT) }
        if let width = style.width {
            pango_layout_set_width(layout, CInt(width * Double(PANGO_SCALE)))
            pango_layout_set_height(layout, -CInt(style.lines))
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
        }
        pango_layout_set_text(layout, text, CInt(clamping: text.utf8.count))
        // Fonts disagree by far on the height of a line: the Arabic one asks for twice its size.
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(
            attributes, pango_attr_line_height_new_absolute(CInt(style.lineHeight * Double(PANGO_SCALE))))
        pango_layout_set_attributes(layout, attributes)
        return body(layout)
    }
}

extension String {
    /// Whether the first letter is Hebrew, Arabic or of a script in between.
    var startsRightToLeft: Bool {
        unicodeScalars.first { $0.properties.isAlphabetic }.map { (0x0590...0x08FF).contains($0.value) } ?? false
    }
}

/// How a text is set.
struct TextStyle {
    var families = CardFonts.families
    var pixels: Double
    var isBold = false
    /// Where lines break; nil for one line of any length.
    var width: Double?
    /// How many lines there may be before the text ends with an ellipsis.
    var lines = 1
    var lineHeight: Double { 1.3 * pixels }
    /// The labels of a host stand from left to right, whatever their script.
    var isAddress = false
}

private let appendBytes: cairo_write_func_t = { file, bytes, count in
    guard let file, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
    file.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeBufferPointer(start: bytes, count: Int(count))
    return CAIRO_STATUS_SUCCESS
}

/// A colour in sRGB, each part from 0 to 1.
struct Color {
    let red: Double
    let green: Double
    let blue: Double

    /// Reads 0xRRGGBB.
    init(_ hex: Int) {
        red = Double(hex >> 16 & 0xFF) / 255
        green = Double(hex >> 8 & 0xFF) / 255
        blue = Double(hex & 0xFF) / 255
    }

    static let white = Color(0xFFFFFF)
}
