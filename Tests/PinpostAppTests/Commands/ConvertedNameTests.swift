import FoundationEssentials
import Glibc
import PinpostCore
import Testing

@testable import PinpostApp

@Suite("Names of converted pictures")
struct ConvertedNameTests {
    @Test(
        "a name keeps its ending where that is right, and gets another one where not",
        arguments: [
            ("IMG_1.HEIC", PictureType.jpeg, "IMG_1.jpg"), ("a.b/IMG_1.JPEG", .jpeg, "a.b/IMG_1.JPEG"),
            ("a.b/photo", .png, "a.b/photo.png"), (".heic", .jpeg, ".heic.jpg"), ("x/.y", .jpeg, "x/.y.jpg"),
            ("x.tar.webp", .webp, "x.tar.webp"), ("x.png", .jpeg, "x.jpg"), ("x.", .gif, "x.gif"),
        ])
    func endings(_ name: String, _ type: PictureType, _ expected: String) {
        #expect(ConvertedName(name).name(for: type) == expected)
    }

    @Test("a name that two pictures share but for the ending stays whole where the ending changes")
    func ambiguous() {
        #expect(ConvertedName("IMG_1.HEIC").name(for: .jpeg, isAmbiguous: true) == "IMG_1.HEIC.jpg")
        #expect(ConvertedName("IMG_1.JPG").name(for: .jpeg, isAmbiguous: true) == "IMG_1.JPG")
    }
}

@Suite("A folder of pictures")
struct FolderOfPicturesTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test("is searched below, without hidden files, other files, links to folders and its own output")
    func entries() async throws {
        try await Stage.open { stage in
            let folder = stage.folder + "/in"
            for path in ["b/c", ".hidden", "out"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
            }
            for name in ["a.png", "b/c/x.png", "b/c/x.jpg", ".hidden/y.png", "out/old.png", ".z.png"] {
                try Data(Self.png).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try Data("text".utf8).write(to: URL(filePath: "\(folder)/b/notes.txt"))
            #expect(symlink(folder, "\(folder)/b/round") == 0)
            let found = try FolderOfPictures(folder, into: "\(folder)/out")
            #expect(found.entries.map(\.path) == ["a.png", "b/c/x.jpg", "b/c/x.png"])
            #expect(found.entries.map { $0.output(for: .jpeg) } == ["a.jpg", "b/c/x.jpg", "b/c/x.png.jpg"])
            #expect(found.leftAlone == 1)
            #expect(throws: UsageError.self) { try FolderOfPictures(folder, into: folder + "/.") }
            #expect(throws: UsageError.self) { try FolderOfPictures(folder, into: folder + "/a.png") }
        }
    }
}

@Suite("Files that appear in one step")
struct FreshFileTests {
    private func text(_ path: String) throws -> String {
        String(decoding: try ReadFile.bytes(of: path, limit: 1_000), as: UTF8.self)
    }

    private func write(_ text: String, in folder: String) throws -> FreshFile {
        let file = try FreshFile(in: folder, number: 1)
        try Array(text.utf8).withUnsafeBytes { try file.write($0) }
        return file
    }

    @Test("one that is there is kept, or replaced where that was asked for; nothing else is left behind")
    func replacing() async throws {
        try await Stage.open { stage in
            let path = stage.folder + "/picture"
            try write("old", in: stage.folder).commit(as: path, replacing: false)
            #expect(throws: SystemFailure(code: EEXIST)) {
                try write("new", in: stage.folder).commit(as: path, replacing: false)
            }
            #expect(try text(path) == "old")
            try write("new", in: stage.folder).commit(as: path, replacing: true)
            #expect(try text(path) == "new")
            _ = try write("dropped", in: stage.folder)
            #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder) == ["picture"])
        }
    }
}
