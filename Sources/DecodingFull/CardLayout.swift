import DecoderProtocol
import Decoding

/// Where everything stands on a card: stripes, the site's name, the domain in large letters, the title, a footer.
///
/// Boards show cards 240 pixels wide, a fifth of their size: what is to be read there is at least 50 pixels high.
struct CardLayout {
    static let width = 1200
    static let height = 900
    static let quality = 85

    private static let background = Color(0x17121B)
    private static let magenta = Color(0xFF42FF)
    private static let siteColor = Color(0xF3A6F3)
    private static let titleColor = Color(0xDCD3E6)
    private static let footerColor = Color(0x9E91AB)

    private static let margin = 72.0
    private static let iconSide = 160.0
    private static let textWidth = Double(width) - 2 * margin

    private let card: Card

    init(_ card: Card) { self.card = card }

    func draw(on canvas: Canvas) {
        canvas.fill(Self.background)
        drawStripes(on: canvas)
        drawTexts(on: canvas)
        drawFooter(on: canvas)
    }

    /// Six diagonal bars of shrinking width from the upper corner that the text leaves free.
    private func drawStripes(on canvas: Canvas) {
        var right = Double(Self.width) + 40
        for (index, width) in [92.0, 66, 46, 30, 18, 10].enumerated() {
            let (left, length) = (right - width, 336 - Double(index) * 40)
            let corners = [(left, 0), (right, 0), (right - length, length), (left - length, length)]
            let isMirrored = card.domain.startsRightToLeft
            canvas.fill(corners.map { (isMirrored ? Double(Self.width) - $0.0 : $0.0, $0.1) }, Self.magenta)
            right = left - 26
        }
    }

    /// The site's icon in the corner that the stripes leave free.
    static func drawIcon(_ pixels: RasterView, of card: Card, on canvas: Canvas) throws(Failure) {
        let x = card.domain.startsRightToLeft ? Double(width) - margin - iconSide : margin
        try canvas.drawIcon(pixels, x: x, y: margin, side: iconSide)
    }

    /// From the bottom up: title, domain, site.
    private func drawTexts(on canvas: Canvas) {
        var bottom = Double(Self.height) - 168
        // Boxes instead of letters tell nobody anything.
        if !card.title.isEmpty, canvas.canShow(card.title) {
            let style = TextStyle(pixels: 58, width: Self.textWidth, lines: 2)
            bottom -= canvas.size(style, card.title).height
            canvas.draw(style, card.title, x: Self.margin, y: bottom, Self.titleColor)
            bottom -= 22
        }
        let shown = canvas.canShow(card.domain) ? card.domain : String(card.footer.prefix { $0 != "/" })
        let domain = Headline(shown, width: Self.textWidth, on: canvas)
        bottom -= domain.height
        canvas.draw(domain.style, domain.text, x: Self.margin, y: bottom)
        if addsSite, canvas.canShow(card.site) {
            let style = TextStyle(pixels: 50, isBold: true, width: Self.textWidth)
            bottom -= canvas.size(style, card.site).height + 14
            canvas.draw(style, card.site, x: Self.margin, y: bottom, Self.siteColor)
        }
    }

    /// A site whose domain is its name needs no second one.
    private var addsSite: Bool {
        func letters(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let site = letters(card.site)
        return !site.isEmpty && !letters(card.domain).contains(site)
            && letters(card.title) != site
    }

    private func drawFooter(on canvas: Canvas) {
        let top = Double(Self.height) - 96
        for (left, width) in [(0.0, 44.0), (52, 22), (82, 11)] {
            let (x, right) = (Self.margin + left, Self.margin + left + width)
            canvas.fill([(x, top), (right, top), (right, top + 8), (x, top + 8)], Self.magenta)
        }
        let style = TextStyle(pixels: 30, width: Self.textWidth - 130, isAddress: true)
        let height = canvas.size(style, card.footer).height
        canvas.draw(style, card.footer, x: Self.margin + 112, y: top + 4 - height / 2, Self.footerColor)
    }
}
