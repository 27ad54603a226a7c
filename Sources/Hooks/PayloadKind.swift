/// How a body is to be read, by its content type.
enum PayloadKind: Hashable {
    case json
    case form
    case multipart(boundary: String)
    case picture
    case text
    /// Text that is a picture in base64; told by the bytes alone.
    case pictureText
    /// No type was given: the bytes decide.
    case unlabelled

    static let accepted = [
        "application/json", "application/x-www-form-urlencoded", "multipart/form-data", "image/*", "text/plain",
    ]

    init(contentType: String?) throws(HookError) {
        guard let contentType, !contentType.isEmpty else {
            self = .unlabelled
            return
        }
        let header = HeaderParameters(contentType)
        switch header.value {
        case "application/json", "text/json": self = .json
        case let type where type.hasPrefix("application/") && type.hasSuffix("+json"): self = .json
        case "application/x-www-form-urlencoded": self = .form
        case "multipart/form-data":
            guard let boundary = header.parameters["boundary"], (1...200).contains(boundary.utf8.count) else {
                throw HookError(.malformed, "multipart/form-data needs a boundary.")
            }
            self = .multipart(boundary: boundary)
        case "text/plain": self = .text
        case "application/octet-stream": self = .picture
        case let type where type.hasPrefix("image/"): self = .picture
        default:
            let accepted = Self.accepted.joined(separator: ", ")
            throw HookError(.unsupportedType, "\(header.value) is not read here; send one of \(accepted).")
        }
    }

    /// Clients send other things under this type; the bytes are asked.
    var isVague: Bool {
        switch self {
        case .form, .text, .picture, .unlabelled: true
        case .json, .multipart, .pictureText: false
        }
    }

    func limit(_ limits: HookLimits) -> Int {
        switch self {
        case .json, .form: limits.json
        case .multipart: limits.multipart
        case .picture: limits.picture
        case .text, .pictureText: max(limits.plainText, limits.picture / 3 * 4)
        case .unlabelled: max(limits.json, limits.picture)
        }
    }
}
