internal import PinpostCore

/// A part of a mail that holds no others, as mox describes it.
struct MoxPart {
    /// Which part of the one around it, from the outside in; empty for a mail that is a single part.
    let path: [Int]
    let type: String
    let name: String?
    let count: Int?
    let isInline: Bool
    /// A text of the mail rather than a file.
    let isText: Bool

    /// In the order of the mail.
    static func leaves(of structure: JSONTree, atMost limit: Int) -> [MoxPart] {
        var leaves: [MoxPart] = []
        add(structure, [], to: &leaves, limit)
        return leaves
    }

    private static func add(_ part: JSONTree, _ path: [Int], to leaves: inout [MoxPart], _ limit: Int) {
        let parts = part["Parts"]?.elements ?? []
        for (index, inner) in parts.enumerated() { add(inner, path + [index], to: &leaves, limit) }
        guard parts.isEmpty, leaves.count < limit else { return }
        leaves.append(MoxPart(part, path))
    }

    private init(_ part: JSONTree, _ path: [Int]) {
        self.path = path
        let type = part["ContentType"]?.text ?? "text/plain"
        let disposition = part["ContentDisposition"]?.text ?? ""
        let file = part["Filename"]?.text ?? part["ContentTypeParams"]?["name"]?.text
        self.type = type
        name = file.flatMap(FileName.clean)
        count = part["DecodedSize"]?.int
        isInline = part["ContentID"]?.text != nil && disposition != "attachment"
        isText = type.hasPrefix("text/") && disposition != "attachment" && file == nil
    }
}
