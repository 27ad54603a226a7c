internal import PinpostCore

/// The words of a message and the links that its entities name; their places are in UTF-16 units.
struct TelegramWords {
    /// Without a leading command; links without a scheme have one.
    private(set) var text: String
    /// In order.
    private(set) var links: [String] = []

    /// Telegram allows 100; more are no message.
    private static let mostEntities = 200

    init(_ text: String, entities: [JSONTree]) {
        var units = Array(text.utf16)
        let places = entities.prefix(Self.mostEntities).compactMap { Place($0, in: units.count) }
        for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            switch place.kind {
            case "text_link": if let url = place.url, Self.isWeb(url) { links.append(url) }
            case "url": links.append(Self.absolute(String(decoding: units[place.range], as: UTF16.self)))
            default: break
            }
        }
        // From the end, so that the places before stay right; one that reaches into a changed place is left alone.
        var end = units.count
        for place in places.sorted(by: { $0.range.lowerBound > $1.range.lowerBound })
        where place.range.upperBound <= end {
            guard place.kind == "url" || place.kind == "bot_command" else { continue }
            end = place.range.lowerBound
            if place.kind == "url" {
                let written = String(decoding: units[place.range], as: UTF16.self)
                units.replaceSubrange(place.range, with: Array(Self.absolute(written).utf16))
            } else if place.kind == "bot_command", place.range.lowerBound == 0 {
                units.removeSubrange(place.range)
            }
        }
        self.text = String(decoding: units, as: UTF16.self).trimmed
    }

    private struct Place {
        let kind: String
        let range: Range<Int>
        let url: String?

        init?(_ entity: JSONTree, in count: Int) {
            guard let kind = entity["type"]?.text, let offset = entity["offset"]?.int,
                let length = entity["length"]?.int, offset >= 0, length > 0, offset <= count, length <= count - offset
            else { return nil }
            (self.kind, range, url) = (kind, offset..<(offset + length), entity["url"]?.text)
        }
    }

    private static func isWeb(_ url: String) -> Bool {
        let start = url.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// `example.org/x` is a link to Telegram.
    private static func absolute(_ url: String) -> String {
        url.contains("://") ? url : "http://" + url
    }
}
