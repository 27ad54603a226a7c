/// The pictures of a `srcset` (HTML, section 4.8.4.2.1).
struct SrcSet {
    /// An address with its width in pixels, or its density times a thousand.
    let choices: [(reference: String, weight: Int, width: Int?)]

    /// Wider pictures are cut out for printing presses, not for boards.
    private static let widest = 4_096

    init(_ text: String) {
        var choices: [(reference: String, weight: Int, width: Int?)] = []
        var rest = text[...]
        while choices.count < 64 {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            guard !rest.isEmpty else { break }
            // An address ends at white space, not at a comma, which may be part of it.
            var reference = rest.prefix { !$0.isWhitespace }
            rest = rest[reference.endIndex...]
            var descriptor: Substring = ""
            if reference.hasSuffix(",") {
                while reference.hasSuffix(",") { reference = reference.dropLast() }
            } else {
                rest = rest.drop(while: \.isWhitespace)
                descriptor = rest.prefix { $0 != "," }
                rest = rest[descriptor.endIndex...]
            }
            guard !reference.isEmpty else { continue }
            let (weight, width) = Self.weight(descriptor)
            choices.append((String(reference), weight, width))
        }
        self.choices = choices
    }

    /// The largest that is still of use.
    var best: (reference: String, width: Int?)? {
        let usable = choices.filter { ($0.width ?? 0) <= Self.widest }
        let best = (usable.isEmpty ? choices : usable).max { $0.weight < $1.weight }
        return best.map { ($0.reference, $0.width) }
    }

    private static func weight(_ descriptor: Substring) -> (Int, Int?) {
        for word in descriptor.split(whereSeparator: \.isWhitespace) {
            if word.hasSuffix("w"), let width = Int(pixels: word), width > 0 {
                return (width, width)
            }
            if word.hasSuffix("x"), let density = Double(word.dropLast()), density > 0, density < 100 {
                return (Int(density * 1_000), nil)
            }
        }
        return (1_000, nil)
    }
}
