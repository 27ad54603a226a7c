public import DecoderProtocol
import Glibc
public import PinpostCore

/// Where the two decoder programs lie.
public struct DecoderExecutables: Sendable, Hashable {
    public let folder: String

    public init(folder: String) { self.folder = folder }

    /// Beside the running program: one installation is always of one build.
    /// - Throws: `.unavailable` when `/proc` does not say where that is.
    public static func besideRunningProgram() throws(MediaError) -> DecoderExecutables {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/exe", &path, path.count)
        guard length > 0, let slash = path[..<length].lastIndex(of: CChar(UInt8(ascii: "/"))) else {
            throw .system("readlink", errno)
        }
        return DecoderExecutables(folder: String(decoding: path[..<slash].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    /// The program that serves a role.
    public func path(for role: Role) -> String { folder + "/" + role.executableName }
}
