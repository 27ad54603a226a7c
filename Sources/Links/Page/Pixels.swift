extension Int {
    /// No picture is wider; what a page says beyond it would only upset sums.
    static let mostPixels = 1_000_000

    /// A side of a picture as a page states it: the digits that `text` begins with; nil without any, or over a million.
    init?(pixels text: some StringProtocol) {
        guard let number = Int(text.prefix { $0.isASCII && $0.isNumber }), number < Self.mostPixels else { return nil }
        self = number
    }
}
