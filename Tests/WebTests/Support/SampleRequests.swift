import Glibc
import Hooks
import PinpostCore
import StoreSQLite
import Testing

/// The recorded requests of real senders, readdressed to the hook of a test.
enum SampleRequests {
    static let folder: String = {
        let shared = getenv("PINPOST_SHARED").map { String(cString: $0) }
        return (shared ?? "../shared") + "/webhooks"
    }()

    static var areThere: Bool { access(folder + "/INDEX.md", R_OK) == 0 }

    /// A `.json` file is a body, a `.http` file a whole request.
    static func bytes(_ file: String, token: String, hook: String = "hook1") throws -> [UInt8] {
        let content = try contents(of: "\(folder)/\(file)")
        guard file.hasSuffix(".http") else {
            return Request(
                path: "/v1/hooks/\(hook)",
                fields: [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")], body: content
            ).bytes
        }
        let end = try #require(content.firstRange(of: Array("\r\n\r\n".utf8))).lowerBound
        let head = String(decoding: content[..<end], as: UTF8.self).split(separator: "\r\n").enumerated()
        let lines = head.map { number, line -> String in
            if number == 0 { return readdressed(String(line), token: token) }
            return line.lowercased().hasPrefix("authorization:") ? "Authorization: Bearer \(token)" : String(line)
        }
        return Array(lines.joined(separator: "\r\n").utf8) + content[end...]
    }

    private static func readdressed(_ line: String, token: String) -> String {
        let parts = line.split(separator: " ")
        let query = parts[1].firstIndex(of: "?").map { String(parts[1][$0...]) } ?? ""
        let path = parts[1].hasPrefix("/share") ? "/v1/hooks/hook1/\(token)" : "/v1/hooks/hook1"
        return "\(parts[0]) \(path)\(query) \(parts[2])"
    }

    private static func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"), "\(path)")
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}

extension ServiceFixture {
    /// What the splitter will read of a stored message.
    func content(of message: Message) throws -> MessageContent {
        let body = try #require(message.body)
        return try HookReader(for: message.envelope).read(
            body: store.open(body), envelope: message.envelope, into: MemoryBlobs(), knownBoards: [])
    }
}

extension MessageContent {
    /// `link URL`, `image URL`, `picture NAME TYPE BYTES`.
    var summary: [String] {
        items.map { item in
            switch item.kind {
            case .image(let image): "picture \(image.name ?? "-") \(image.type.rawValue) \(image.bytes.count)"
            case .media(let media): "media \(media.file)"
            case .link(let link): "\(link.isImage ? "image" : "link") \(link.url)"
            }
        }
    }
}
