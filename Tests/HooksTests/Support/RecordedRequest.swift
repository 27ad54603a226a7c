import Glibc
import PinpostCore
import Testing

@testable import Hooks

/// A whole HTTP request in a file.
struct RecordedRequest {
    let contentType: String?
    let fields: [String: String]
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = try #require((0..<(bytes.count - 3)).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), String(parts[1]).trimmed)
        }
        contentType = headers.first { $0.0.lowercased() == "content-type" }?.1
        fields = Envelope.hookFields(query: Self.query(of: String(lines[0])), headers: headers)
        body = Array(bytes[(end + 4)...])
    }

    func content() throws(HookError) -> MessageContent { try read(body, as: contentType, fields: fields) }

    private static func query(of line: String) -> [(String, String)] {
        let target = line.split(separator: " ")[1]
        guard let query = target.split(separator: "?").dropFirst().first else { return [] }
        return query.split(separator: "&").map { item in
            let parts = item.split(separator: "=")
            return (String(parts[0]), parts[1].split(separator: "%20").joined(separator: " "))
        }
    }
}

/// The bytes of a file of at most 1 MiB.
func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"), "\(path)")
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
}

let packageRoot = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

/// The names of all files in a folder, sorted.
func fileNames(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}
