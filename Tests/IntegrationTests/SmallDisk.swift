import FoundationEssentials
import Glibc
import Testing

/// A file system of a few megabytes that a test fills up; only root may make one.
struct SmallDisk {
    let folder: String
    private var ballast: String { "\(folder)/ballast" }

    static let isAvailable: Bool = {
        guard let disk = try? SmallDisk(mebibytes: 1) else { return false }
        disk.remove()
        return true
    }()

    private struct Refused: Error {}

    init(mebibytes: Int) throws {
        var template = Array("/tmp/pinpost-disk-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } }
        guard let made else { throw Refused() }
        folder = String(cString: made)
        guard mount("tmpfs", folder, "tmpfs", 0, "size=\(mebibytes)m,mode=0700") == 0 else {
            rmdir(folder)
            throw Refused()
        }
    }

    /// Takes all the room there is.
    func fill() throws {
        let file = open(ballast, O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        defer { close(file) }
        let piece = [UInt8](repeating: 1, count: 4_096)
        while write(file, piece, piece.count) > 0 {}
    }

    func free() { unlink(ballast) }

    func remove() {
        umount2(folder, CInt(MNT_DETACH))
        rmdir(folder)
    }
}
