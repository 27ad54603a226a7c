import FoundationEssentials
import Links
import Media
import PinpostCore

/// The real page reader, and our own fixture pages.
enum PageDesk {
    static let reader = SandboxedPageReader(DecoderPool(DecoderExecutables(folder: buildFolder)))

    static func findings(
        _ html: String, at url: String = "https://example.com/a/post.html", embed: String? = nil
    ) async throws -> PageFindings {
        try PageFindings(try await reader.outline(of: html), at: url, embed: embed)
    }

    static let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fixtures/pages"

    static func file(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }

    private static let buildFolder: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return "/" + bundle.split(separator: "/").dropLast().joined(separator: "/")
    }()
}
