import DecoderProtocol

/// Where everything stands on a card: stripes, the domain in large letters, the title, a footer.
struct CardLayout {
    static let width = 1200
    static let height = 900
    static let quality = 90

    private static let background = Color(0x17121B)
    private static let magenta = Color(0xFF42FF)
    private static let titleColor = Color(0xCCC2D6)
    private static let footerColor = Color(0x9E91AB)

    private static let margin = 72.0
    private static let textWidth = Double(width) - 2 * margin
    private static let largest = 150.0
    private static let smallest = 64.0

    private let card: Card

    init(_ card: Card) { self.card = card }

    func draw(on canvas: Canvas) {
        canvas.fill(Self.background)
        drawStripes(on: canvas)
        drawTexts(on: canvas)
        drawFooter(on: canvas)
    }

    /// Six diagonal bars of shrinking width from the upper right corner.
    private func drawStripes(on canvas: Canvas) {
        var right = Double(Self.width) + 40
        for (index, width) in [92.0, 66, 46, 30, 18, 10].enumerated() {
            let (left, length) = (right - width, 430 - Double(index) * 52)
            canvas.fill(
                [(left, 0), (right, 0), (right - length, length), (left - length, length)], Self.magenta)
            right = left - 26
        }
    }

    private func drawTexts(on canvas: Canvas) {
        let domain = domainStyle(on: canvas)
        let domainHeight = canvas.size(domain, card.domain).height
        let title = TextStyle(pixels: 46, width: Self.textWidth, lines: 2)
        let titleHeight = card.title.isEmpty ? 0 : canvas.size(title, card.title).height + 28
        let top = Double(Self.height) - 150 - titleHeight - domainHeight
        canvas.draw(domain, card.domain, x: Self.margin, y: top)
        guard !card.title.isEmpty else { return }
        canvas.draw(title, card.title, x: Self.margin, y: top + domainHeight + 28, Self.titleColor)
    }

    /// As large as one line allows; a very long domain breaks into two lines.
    private func domainStyle(on canvas: Canvas) -> TextStyle {
        let width = canvas.size(TextStyle(pixels: Self.largest, isBold: true), card.domain).width
        let fitting = width > Self.textWidth ? Self.largest * Self.textWidth / width * 0.98 : Self.largest
        guard fitting < Self.smallest else { return TextStyle(pixels: fitting, isBold: true) }
        return TextStyle(pixels: Self.smallest, isBold: true, width: Self.textWidth, lines: 2)
    }

    private func drawFooter(on canvas: Canvas) {
        let top = Double(Self.height) - 96
        for (left, width) in [(0.0, 44.0), (52, 22), (82, 11)] {
            let (x, right) = (Self.margin + left, Self.margin + left + width)
            canvas.fill([(x, top), (right, top), (right, top + 8), (x, top + 8)], Self.magenta)
        }
        let style = TextStyle(pixels: 30, width: Self.textWidth - 130)
        let height = canvas.size(style, card.footer).height
        canvas.draw(style, card.footer, x: Self.margin + 112, y: top + 4 - height / 2, Self.footerColor)
    }
}
