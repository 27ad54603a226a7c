import Glibc

/// A folder under `/tmp` that goes, with all that is in it, when the object does.
public final class TestFolder: Sendable {
    public let path: String

    public init(_ name: String) throws(LoopbackError) {
        var template = Array("/tmp/pinpost-\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw LoopbackError("no folder for \(name)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func write(_ text: String, to name: String) { Self.write(Array(text.utf8), to: "\(path)/\(name)") }

    static func write(_ bytes: [UInt8], to path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o644)
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The names in a folder.
    public static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The paths of all files below a folder; links are files.
    public static func files(below folder: String) -> [String] {
        names(in: folder).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard lstat(path, &facts) == 0 else { return [] }
            return facts.st_mode & S_IFMT == S_IFDIR ? files(below: path) : [path]
        }
    }

    /// Removes a file, or a folder with all that is in it.
    public static func remove(_ path: String) {
        for name in names(in: path) { remove("\(path)/\(name)") }
        Glibc.remove(path)
    }

    static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
