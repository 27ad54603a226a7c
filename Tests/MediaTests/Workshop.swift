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

    /// The error that a picture must end in.
    static func refusal(of bytes: [UInt8]) async throws -> MediaError {
        let error = await #expect(throws: MediaError.self) { try await convert(bytes) }
        return try #require(error)
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        try contents(packageFolder + "/Tests/Fixtures/images/" + name)
    }

    /// A file of the shared samples; nil where they are not on this machine.
    static func sample(_ name: String) -> [UInt8]? { try? contents(samplesFolder + "/" + name) }

    static let samplesFolder =
        (ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? packageFolder + "/../shared") + "/images"

    static var hasSamples: Bool { FileManager.default.fileExists(atPath: samplesFolder) }

    static func contents(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    private static let packageFolder: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    private static let buildFolder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return "/" + bundle.split(separator: "/").dropLast().joined(separator: "/")
    }()
}
