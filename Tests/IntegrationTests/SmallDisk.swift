import FoundationEssentials
import Glibc
import PinpostTesting
import Testing

/// A file system of a few megabytes that a test fills up; only root may make one.
struct SmallDisk {
    private let place: TestFolder
    var folder: String { place.path }
    private var ballast: String { "\(folder)/ballast" }

    static let isAvailable: Bool = {
        guard let disk = try? SmallDisk(mebibytes: 1) else { return false }
        disk.remove()
        return true
    }()

    private struct Refused: Error {}

    init(mebibytes: Int) throws {
        place = try TestFolder("disk")
        guard mount("tmpfs", folder, "tmpfs", 0, "size=\(mebibytes)m,mode=0700") == 0 else { throw Refused() }
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
    }
}
