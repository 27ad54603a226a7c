/// The domain as large as it can be: a long one loses labels at its front before it gets small.
struct Headline {
    let text: String
    let style: TextStyle
    let height: Double

    private static let largest = 150.0
    /// Below this a column of 240 pixels cannot be read with comfort.
    private static let comfortable = 84.0
    private static let smallest = 64.0

    init(_ domain: String, width: Double, on canvas: Canvas) {
        let choices = Self.shortened(domain)
        let sizes = choices.map { Self.fitting($0, width, canvas) }
        let best = sizes.firstIndex { $0 >= Self.comfortable } ?? choices.count - 1
        if sizes[best] >= Self.smallest {
            text = choices[best]
            style = TextStyle(pixels: sizes[best], isBold: true, width: width, isAddress: true)
        } else {
            (text, style) = Self.small(choices[best], width, canvas)
        }
        height = canvas.size(style, text).height
    }

    /// Two lines where they hold everything, else the end of it in one: it says more than the start.
    private static func small(_ text: String, _ width: Double, _ canvas: Canvas) -> (String, TextStyle) {
        let line = TextStyle(pixels: smallest, isBold: true, isAddress: true)
        var style = line
        (style.width, style.lines) = (width, 3)
        let isShort = canvas.size(style, text).height < 2.5 * canvas.size(line, text).height
        style.lines = isShort ? 2 : 1
        guard !isShort else { return (text, style) }
        var rest = text[...]
        while rest.count > 1, canvas.size(line, "…" + rest).width > width { rest = rest.dropFirst() }
        return ("…" + rest, style)
    }

    /// The whole domain, then with fewer and fewer labels, down to the last two or three.
    private static func shortened(_ domain: String) -> [String] {
        let labels = domain.split(separator: ".")
        // `co.uk` alone tells nothing.
        let kept = labels.suffix(2).allSatisfy { $0.count <= 3 } ? 3 : 2
        guard labels.count > kept else { return [domain] }
        return [domain] + (1...(labels.count - kept)).map { "…" + labels.dropFirst($0).joined(separator: ".") }
    }

    /// The size at which a text fills one line.
    private static func fitting(_ text: String, _ width: Double, _ canvas: Canvas) -> Double {
        let full = canvas.size(TextStyle(pixels: largest, isBold: true), text).width
        return full > width ? largest * width / full * 0.98 : largest
    }
}
