import FoundationEssentials
import Media
import PinpostCore
import Testing

/// The real thing: decoder programs of this build, and a converter over them.
enum Workshop {
    /// `swift test` puts the decoder programs into the folder of the test bundle.
    static let executables = DecoderExecutables(folder: buildFolder)
    static let pool = DecoderPool(executables)
    static let converter = SandboxedPictureConverter(pool, storingIn: MemoryBlobs())

    static func convert(_ bytes: [UInt8]) async throws -> ConvertedPicture {
        try await converter.convert(StoredBytes(bytes))
    }

    static func convert(_ bytes: [UInt8], _ limits: PictureLimits) async throws -> ConvertedPicture {
        try await SandboxedPictureConverter(pool, storingIn: MemoryBlobs(), limits: limits).convert(StoredBytes(bytes))
    }

    /// The error that a picture must end in.
    static func refusal(of bytes: [UInt8]) async throws -> MediaError {
        let error = await #expect(throws: MediaError.self) { try await convert(bytes) }
        return try #require(error)
    }

    /// One of our own pictures.
    static func fixture(_ name: String) throws -> [UInt8] {
        try contents(packageFolder + "/Tests/Fixtures/images/" + name)
    }

    static let samplesFolder =
        (ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? packageFolder + "/../shared") + "/images"

    /// The shared samples are not part of this repository.
    static var hasSamples: Bool { FileManager.default.fileExists(atPath: samplesFolder) }

    static func sample(_ name: String) throws -> [UInt8] { try contents(samplesFolder + "/" + name) }

    private static func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    private static let packageFolder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    private static let buildFolder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return "/" + bundle.split(separator: "/").dropLast().joined(separator: "/")
    }()
}

extension Sequence<UInt8> {
    /// Whether these bytes stand somewhere inside.
    func contains(_ text: String) -> Bool {
        let (all, wanted) = (Array(self), Array(text.utf8))
        guard all.count >= wanted.count else { return false }
        return (0...all.count - wanted.count).contains { all[$0] == wanted[0] && all[$0...].starts(with: wanted) }
    }
}
