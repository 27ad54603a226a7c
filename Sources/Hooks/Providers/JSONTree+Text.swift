internal import PinpostCore

extension JSONTree {
    /// The tree as JSON, the members of objects in the order of their names.
    var json: String {
        switch self {
        case .object(let members):
            let texts = members.sorted { $0.key < $1.key }.map { "\(JSONText.quote($0.key)):\($0.value.json)" }
            return "{\(texts.joined(separator: ","))}"
        case .array(let elements): return "[\(elements.map(\.json).joined(separator: ","))]"
        case .text(let text): return JSONText.quote(text)
        case .literal(let literal): return literal
        case .null: return "null"
        }
    }

    /// Members that are not nil, as an object.
    static func object(of members: KeyValuePairs<String, JSONTree?>) -> JSONTree {
        .object(members.reduce(into: [:]) { object, member in object[member.key] = member.value })
    }

    static func texts(_ texts: [String]) -> JSONTree { .array(texts.map { .text($0) }) }

    /// As the body of a request.
    var body: HTTPRequest.Body { .bytes(Array(json.utf8), contentType: "application/json") }
}
