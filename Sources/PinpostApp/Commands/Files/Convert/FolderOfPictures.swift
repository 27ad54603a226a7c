import FoundationEssentials
import Glibc
import Media
import PinpostCore

/// The pictures below a folder, and the folder that mirrors it.
struct FolderOfPictures: Sendable {
    /// One picture, by its path below the folder.
    struct Entry: Sendable {
        let path: String
        /// Another picture has the same name but for the ending.
        let isAmbiguous: Bool

        func output(for type: PictureType) -> String { ConvertedName(path).name(for: type, isAmbiguous: isAmbiguous) }
    }

    let input: String
    let output: String
    /// In order of their paths.
    let entries: [Entry]
    /// Files that are no pictures.
    let leftAlone: Int

    private static let maximumFiles = 1_000_000

    /// Looks for pictures by their first bytes; blocks.
    ///
    /// Hidden files are not looked at, links to folders not followed, and the output may lie inside the input.
    init(_ input: String, into output: String) throws {
        self.input = input
        self.output = output
        guard !FileManager.default.fileExists(atPath: output) || Self.isFolder(output) else {
            throw UsageError("\(output) is a file; a folder is converted into a folder.")
        }
        do { try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true) } catch {
            throw UsageError("The folder \(output) cannot be made.")
        }
        let excluded = Self.identity(of: output)
        guard Self.identity(of: input) != excluded else {
            throw UsageError("The folders are the same; name another one for the output.")
        }
        var files: [String] = []
        try Self.walk(input, below: "", except: excluded, into: &files)
        let pictures = files.filter { Self.isPicture("\(input)/\($0)") }
        let stems = Dictionary(pictures.map { (ConvertedName($0).stem.lowercased(), 1) }, uniquingKeysWith: +)
        entries = pictures.map {
            Entry(path: $0, isAmbiguous: stems[ConvertedName($0).stem.lowercased(), default: 1] > 1)
        }
        leftAlone = files.count - pictures.count
    }

    static func isFolder(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    private struct Identity: Hashable {
        let device: dev_t
        let number: ino_t
    }

    private static func identity(of path: String) -> Identity? {
        var facts = stat()
        return stat(path, &facts) == 0 ? Identity(device: facts.st_dev, number: facts.st_ino) : nil
    }

    private static func walk(
        _ folder: String, below prefix: String, except excluded: Identity?, into files: inout [String]
    ) throws {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw UsageError("\(folder) cannot be read.")
        }
        for name in names.sorted() where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            switch facts.st_mode & S_IFMT {
            case S_IFDIR where Identity(device: facts.st_dev, number: facts.st_ino) != excluded:
                try walk(path, below: "\(prefix)\(name)/", except: excluded, into: &files)
            case S_IFREG: files.append(prefix + name)
            case S_IFLNK where !isFolder(path): files.append(prefix + name)
            default: break
            }
            guard files.count <= maximumFiles else {
                throw UsageError("There are more than \(maximumFiles) files; convert the folders in it one by one.")
            }
        }
    }

    private static func isPicture(_ path: String) -> Bool {
        guard let file = try? ReadFile.open(path) else { return true }  // so that the reason is told
        defer { close(file) }
        let start = try? ReadFile.piece(of: file, upTo: PictureType.prefixLength)
        return start.map { $0.isEmpty || PictureType.sniff($0) != nil } ?? true
    }
}
