import FoundationEssentials
import PinpostCore

@testable import PinpostTesting

extension ContractScene {
    /// The request as it went over the wire.
    func request(to port: Int) -> [UInt8] {
        let (contentType, body) = content
        var head = "\(row.method) \(Self.target(row.path)) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
        head += "Accept: \(accept)\r\n"
        if let authorization { head += "Authorization: \(authorization)\r\n" }
        if let contentType { head += "Content-Type: \(contentType)\r\n" }
        if row.name.contains("chunked"), !row.name.contains("nginx") {
            let chunk = Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n0\r\n\r\n".utf8)
            return Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + chunk
        }
        let length = row.name.hasPrefix("09") && row.name.contains("60M") ? 60_000_000 : body.count
        return Array("\(head)Content-Length: \(length)\r\n\r\n".utf8) + body
    }

    private static func target(_ path: String) -> String {
        path.utf8.map { byte in
            byte < 0x80 ? String(Unicode.Scalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private var accept: String {
        if row.name.contains("accept-html") { return "text/html" }
        return row.name.contains("accept-xml") ? "application/xml" : "*/*"
    }

    /// What the recording's table could not hold: passwords, blanks, and headers cut at a quote.
    private var authorization: String? {
        let basic: [String: String] = [
            "23-hdr-basic-ok": "alice:password1", "24-hdr-basic-bad": "alice:zzz",
            "25-hdr-basic-email": "alice@example.org:password1", "65-private-pins-basic": "alice:password1",
        ]
        if let pair = basic[row.name] { return "Basic \(Data(pair.utf8).base64EncodedString())" }
        switch row.name {
        case "16-hdr-token-two": return "Token \(Self.token("a")) x"
        case "19-hdr-token-2spaces": return "Token  \(Self.token("a"))"
        default: return row.auth.map { String($0.prefix { $0 != "'" }) }
        }
    }

    // MARK: Bodies

    private var content: (type: String?, body: [UInt8]) {
        if let upload = upload { return upload }
        guard let text = wholeBody else { return (row.name == "29-empty-body" ? "application/json" : nil, []) }
        let types: [String: String?] = [
            "55-ct-form": "application/x-www-form-urlencoded", "56-ct-text": "text/plain", "57-ct-none": nil,
            "58-ct-json-charset": "application/json; charset=utf-8", "59-ct-xml": "application/xml",
        ]
        return (types[row.name] ?? "application/json", Array(text.utf8))
    }

    /// Long bodies were cut in the recording.
    private var wholeBody: String? {
        func letters(_ letter: String, _ count: Int) -> String { String(repeating: letter, count: count) }
        switch row.name {
        case "38-desc-1MB": return "{\"image_by_id\": 14, \"description\": \"\(letters("x", 1 << 20))\"}"
        case "39-desc-3MB": return "{\"image_by_id\": 15, \"description\": \"\(letters("x", 3 << 20))\"}"
        case "46-referer-2048": return "{\"image_by_id\": 22, \"referer\": \"https://e/\(letters("x", 2_038))\"}"
        case "47-referer-2049": return "{\"image_by_id\": 23, \"referer\": \"https://e/\(letters("x", 2_039))\"}"
        case "49-url-2049": return "{\"url\": \"http://127.0.0.1:18090/red.jpg?\(letters("x", 2_018))\"}"
        case "50-url-2048-with-img": return "{\"url\": \"http://127.0.0.1:18090/red.jpg?\(letters("x", 2_017))\"}"
        case "15b-len300": return "{\"image_by_id\": 59, \"tags\": [\"\(letters("z", 300))\"]}"
        case "22b-200tags":
            let tags = (0..<200).map { "\"many\($0)\"" }.joined(separator: ", ")
            return "{\"image_by_id\": 68, \"tags\": [\(tags)]}"
        default: return row.requestBody
        }
    }

    /// The picture of a size that the answer names.
    private var picture: [UInt8] {
        let size = row.body?.contains("\"width\":300,\"height\":200") == true ? (300, 200) : (1_200, 800)
        return TestPicture.jpegMarkers(width: size.0, height: size.1)
    }

    private static func part(_ name: String, _ fileName: String?, _ bytes: [UInt8]) -> [UInt8] {
        let file = fileName.map { "; filename=\"\($0)\"" } ?? ""
        return Array("--B\r\nContent-Disposition: form-data; name=\"\(name)\"\(file)\r\n\r\n".utf8) + bytes
            + Array("\r\n".utf8)
    }

    /// Multipart bodies are not in the recording: they are rebuilt from what the case is called.
    private var upload: (type: String?, body: [UInt8])? {
        guard row.requestBody == nil, row.method == "POST" else { return nil }
        let form = "multipart/form-data; boundary=B"
        let end = Array("--B--\r\n".utf8)
        switch row.name {
        case "29-empty-body": return nil
        case "62-json-latin1":
            return (
                "application/json", Array("{\"image_by_id\":33,\"description\":\"".utf8) + [0xE9] + Array("\"}".utf8)
            )
        case "63-json-bom": return ("application/json", [0xEF, 0xBB, 0xBF] + Array("{\"image_by_id\":34}".utf8))
        case "60-pins-multipart": return (form, Self.part("image", "red.jpg", picture) + end)
        case "61-pins-multipart-image_by_id":
            let fields = [("image_by_id", "33"), ("description", "mp"), ("tags", "one"), ("tags", "two")]
            return (form, fields.flatMap { Self.part($0.0, nil, Array($0.1.utf8)) } + end)
        case "36-raw-body-image": return ("image/jpeg", picture)
        case "38-missing-boundary": return (form, Self.part("image", "red.jpg", picture))
        case "39-empty-multipart": return (form, end)
        case "01-zero-byte": return (form, Self.part("image", "red.jpg", []) + end)
        case "02-no-file-field": return (form, Self.part("other", nil, Array("x".utf8)) + end)
        case "03-wrong-field": return (form, Self.part("file", "red.jpg", picture) + end)
        case "04-text-field": return (form, Self.part("image", nil, Array("x".utf8)) + end)
        case "32-two-files":
            return (form, Self.part("image", "red.jpg", picture) + Self.part("image", "green.jpg", picture) + end)
        default: return (form, Self.part("image", fileName, picture) + end)
        }
    }

    private var fileName: String {
        let names = [
            "05-noext": "photo", "06-wrongext": "photo.png", "07-ext-txt": "a.txt", "08-ext-exe": "a.exe",
            "09-heic-ext": "a.heic", "10-jpg-upper": "IMG_0001.JPG", "11-ext-html": "a.html", "12-ext-svg": "a.svg",
            "13-unicode": "фото 📷 ünï.jpg", "14-spaces": "my photo 1.jpg", "15-traversal": "../../etc/passwd.jpg",
            "16-backslash": "..\\..\\x.jpg", "17-absolute": "/etc/x.jpg", "18-dot": ".jpg", "19-dotdot": "..",
            "25-len1000": String(repeating: "n", count: 996) + ".jpg", "27-quote": "a%22b.jpg",
            "28-semicolon": "a;b.jpg", "29-emptyname": "", "33-pct": "a%2Fb%00.jpg",
            "34-newname-plain": "ingest-0001.jpg", "35-newname-again": "ingest-0001.jpg",
            "26-emoji200": String(repeating: "📷", count: 200) + ".jpg", "01-ios-image": "image.jpg",
        ]
        if let name = names[row.name] { return name }
        let length = row.name.firstRange(of: "len").flatMap { Int(row.name[$0.upperBound...]) }
        return length.map { String(repeating: "n", count: $0 - 4) + ".jpg" } ?? "red.jpg"
    }
}
