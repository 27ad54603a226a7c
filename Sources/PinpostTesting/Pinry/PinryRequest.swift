import PinpostCore

/// A request as Django sees it: routed path, query, parsed body.
struct PinryRequest {
    let method: String
    /// Without the prefix under which Pinry is mounted.
    let path: String
    let query: [(name: String, value: String)]
    /// Scheme, host and the prefix that Pinry knows of, for links in answers.
    let base: String
    let raw: LoopbackServer.Request

    init(_ raw: LoopbackServer.Request, prefix: String, behind frontDoor: PinryDouble.FrontDoor) {
        self.raw = raw
        method = raw.method
        let parts = raw.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Percent.decode(String(parts[0].dropFirst(prefix.count)))
        query = parts.count > 1 ? Percent.form(String(parts[1])) : []
        var host = raw.header("host") ?? "127.0.0.1"
        // The Docker image's nginx passes the host without its port, and a proxy's prefix is unknown to Pinry.
        if frontDoor == .nginx { host = String(host.prefix { $0 != ":" }) }
        base = "http://\(host)\(frontDoor == .nginx ? "" : prefix)"
    }

    /// Links repeat the format that was asked for.
    func link(_ path: String) -> String {
        if self.path.hasSuffix(".json") { return "\(base)/api/v2/\(path).json" }
        return "\(base)/api/v2/\(path)/" + (value("format").map { "?format=\($0)" } ?? "")
    }

    func value(_ name: String) -> String? { query.last { $0.name == name }?.value }

    /// Gunicorn hands on only what has a Content-Length.
    var body: [UInt8] { raw.isChunked ? [] : raw.body }

    var contentType: String { raw.header("content-type") ?? "" }

    /// The body as Django REST framework's parsers leave it.
    enum Data {
        case json(JSONValue)
        case form([(name: String, value: String)], files: [(field: String, file: MultipartForm.File)])
    }

    func data() throws(PinryReply) -> Data {
        if body.isEmpty { return .form([], files: []) }
        let type = contentType.prefix { $0 != ";" }.lowercased()
        switch type {
        case "application/json":
            do {
                return .json(try JSONValue(parsing: body))
            } catch {
                throw .detail(400, "JSON parse error - \(error.detail)")
            }
        case "application/x-www-form-urlencoded":
            return .form(Percent.form(String(decoding: body, as: UTF8.self)), files: [])
        case "multipart/form-data":
            let form = MultipartForm(body, contentType: contentType)
            return .form(form.values, files: form.files)
        default:
            throw .detail(415, "Unsupported media type \"\(contentType)\" in request.")
        }
    }

    /// The body as an object; lists only where the field is one.
    func fields(lists: Set<String>) throws(PinryReply) -> JSONValue {
        switch try data() {
        case .json(let value):
            guard case .object = value else {
                let words = "Invalid data. Expected a dictionary, but got \(value.pythonType)."
                throw .json(400, .object(["non_field_errors": .strings([words])]))
            }
            return value
        case .form(let values, _):
            var members: [JSONValue.Member] = []
            for name in Set(values.map(\.name)) {
                let texts = values.filter { $0.name == name }.map(\.value)
                let value: JSONValue = lists.contains(name) ? .strings(texts) : .optional(texts.last)
                members.append(.init(key: name, value: value))
            }
            return .object(members)
        }
    }
}

/// Percent-encoding as Python's urllib reads and writes it.
enum Percent {
    static func decode(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(rest.prefix(2)) ?? ""
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `a=b&c=d`, blanks as plus signs.
    static func form(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "&").prefix(1_000).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                decode(String(part.map { $0 == "+" ? " " : $0 }))
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    static func encode(_ text: String, keeping kept: String = "_.-~") -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII,
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || kept.utf8.contains(byte)
            {
                return String(scalar)
            }
            return byte == 0x20 ? "+" : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
