import CPango
import DecoderProtocol
import Decoding

extension Canvas {
    /// Draws pixels into a square with its upper left corner at `x`, `y`, on a light plate with round corners; their
    /// shape is kept.
    func drawIcon(_ pixels: RasterView, x: Double, y: Double, side: Double) throws(Failure) {
        let image = try IconSurface(pixels)
        plate(x: x, y: y, side: side)
        let inner = side * 0.8
        let scale = inner / Double(max(pixels.width, pixels.height))
        let (left, top) = (
            x + (side - scale * Double(pixels.width)) / 2, y + (side - scale * Double(pixels.height)) / 2
        )
        withContext { context in
            cairo_save(context)
            cairo_translate(context, left, top)
            cairo_scale(context, scale, scale)
            cairo_set_source_surface(context, image.surface, 0, 0)
            cairo_pattern_set_filter(cairo_get_source(context), CAIRO_FILTER_GOOD)
            cairo_paint(context)
            cairo_restore(context)
        }
    }

    private func plate(x: Double, y: Double, side: Double) {
        let radius = side * 0.2
        withContext { context in
            cairo_new_sub_path(context)
            cairo_arc(context, x + side - radius, y + radius, radius, -.pi / 2, 0)
            cairo_arc(context, x + side - radius, y + side - radius, radius, 0, .pi / 2)
            cairo_arc(context, x + radius, y + side - radius, radius, .pi / 2, .pi)
            cairo_arc(context, x + radius, y + radius, radius, .pi, 1.5 * .pi)
            cairo_close_path(context)
            cairo_set_source_rgb(context, 0.97, 0.95, 0.98)
            cairo_fill(context)
        }
    }
}

/// Owns pixels in the form that Cairo draws: B, G, R, A, multiplied with the alpha.
private final class IconSurface {
    let surface: OpaquePointer

    init(_ pixels: RasterView) throws(Failure) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, CInt(pixels.width), CInt(pixels.height)),
            let target = cairo_image_surface_get_data(surface)
        else { throw Failure(.tooLarge, "Cairo has no memory for an icon") }
        self.surface = surface
        let stride = Int(cairo_image_surface_get_stride(surface))
        for y in 0..<pixels.height {
            for x in 0..<pixels.width {
                let pixel = (pixels.base + y * pixels.stride + x * pixels.bytesPerPixel)
                    .assumingMemoryBound(to: UInt8.self)
                let isColor = pixels.bytesPerPixel >= 3
                let alpha = pixels.bytesPerPixel.isMultiple(of: 2) ? Int(pixel[pixels.bytesPerPixel - 1]) : 255
                let place = target + y * stride + 4 * x
                for offset in 0..<3 {
                    place[offset] = UInt8((Int(pixel[isColor ? 2 - offset : 0]) * alpha + 127) / 255)
                }
                place[3] = UInt8(alpha)
            }
        }
        cairo_surface_mark_dirty(surface)
    }

    deinit { cairo_surface_destroy(surface) }
}
