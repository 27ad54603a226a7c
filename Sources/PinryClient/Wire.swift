import FoundationEssentials
import PinpostCore

/// Pinry's JSON, as little of it as we need; every field that some version leaves out is optional.
enum Wire {
    struct Image: Decodable {
        struct Copy: Decodable {
            let image: String?
        }

        private enum Keys: String, CodingKey { case id, thumbnail }

        let id: Int64?
        let thumbnail: Copy?

        /// The thumbnail is a help alone: one of another form must not make an upload fail.
        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Keys.self)
            id = try values.decodeIfPresent(Int64.self, forKey: .id)
            thumbnail = try? values.decodeIfPresent(Copy.self, forKey: .thumbnail)
        }
    }

    struct User: Decodable {
        let username: String?
    }

    struct Pin: Decodable {
        let id: Int64?
        let image: Image?
        let submitter: User?
        let description: String?
        let referer: String?
        let tags: [String]?
        let `private`: Bool?
    }

    struct Board: Decodable {
        let id: Int64?
        let name: String?
        let `private`: Bool?
        let submitter: User?
    }

    struct Page<Row: Decodable>: Decodable {
        let results: [Row]
        let next: String?
    }

    /// The answer to OPTIONS lists the methods that this token may use.
    struct Options: Decodable {
        struct Action: Decodable {}
        let actions: [String: Action]?
    }

    /// A pin's words in the form that every Pinry takes.
    struct CleanPin {
        let description: String
        let referer: String?
        let tags: [String]
        let isPrivate: Bool

        init(_ pin: PinpostCore.Pin) {
            description = Self.clean(pin.description)
            referer = pin.source.flatMap(Self.link)
            isPrivate = pin.isPrivate
            var seen = Set<String>()
            tags = pin.tags.map(Self.tag).filter { !$0.isEmpty && seen.insert($0).inserted }
        }

        /// Trimmed, without the NULs that Pinry and PostgreSQL refuse.
        private static func clean(_ text: String) -> String {
            let scalars = text.unicodeScalars.filter { $0 != "\0" }
            let start = scalars.drop { $0.properties.isWhitespace }
            let end = start.reversed().drop { $0.properties.isWhitespace }.reversed()
            var clean = String.UnicodeScalarView()
            clean.append(contentsOf: end)
            return String(clean)
        }

        /// At most 100 characters: PostgreSQL answers 500 to a longer one.
        private static func tag(_ text: String) -> String {
            var short = String.UnicodeScalarView()
            short.append(contentsOf: clean(text).unicodeScalars.prefix(100))
            return clean(String(short))
        }

        /// Pinry stores any text and its pages make a link of it: only http(s) may pass, up to 2,048 characters.
        private static func link(_ text: String) -> String? {
            let link = clean(text)
            let start = link.prefix(8).lowercased()
            let isWeb = start.hasPrefix("http://") || start.hasPrefix("https://")
            let hasControl = link.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            return isWeb && !hasControl && link.unicodeScalars.count <= 2_048 ? link : nil
        }
    }

    struct NewPin: Encodable {
        let imageID: Int64
        let description: String
        let referer: String?
        let tags: [String]
        let isPrivate: Bool

        init(_ pin: CleanPin, on image: ImageID) {
            imageID = image.rawValue
            description = pin.description
            referer = pin.referer
            tags = pin.tags
            isPrivate = pin.isPrivate
        }

        enum CodingKeys: String, CodingKey {
            case imageID = "image_by_id"
            case description, referer, tags
            case isPrivate = "private"
        }
    }

    struct BoardChange: Encodable {
        let pinsToAdd: [Int64]

        enum CodingKeys: String, CodingKey {
            case pinsToAdd = "pins_to_add"
        }
    }

    struct NewBoard: Encodable {
        let name: String
        let `private`: Bool
    }
}

extension Wire.Board {
    /// A board of that owner; nil for anybody else's and for rows without the fields we need.
    func board(ownedBy username: String) -> Board? {
        guard let id, let name, submitter?.username == username else { return nil }
        return Board(id: BoardID(id), name: name, isPrivate: self.private ?? false)
    }
}

extension Wire.Pin {
    var remote: RemotePin? {
        guard let id else { return nil }
        return RemotePin(
            id: PinID(id), image: image?.id.map { ImageID($0) }, description: description ?? "", source: referer,
            tags: tags ?? [], isPrivate: self.private ?? false, username: submitter?.username ?? "")
    }
}
