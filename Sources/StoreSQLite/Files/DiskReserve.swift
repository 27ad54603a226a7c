internal import Glibc
internal import PinpostCore

/// Room on the disk of the data folder, in bytes.
public struct DiskSpace: Sendable, Hashable {
    /// What we may still write.
    public var free: Int
    public var total: Int

    public init(free: Int, total: Int) {
        self.free = free
        self.total = total
    }
}

/// What bytes are written for.
///
/// On a disk that fills up, the first of these stops first and the last one never: what was accepted is read, and what was
/// read is delivered, which frees the disk again.
public enum DiskUse: Sendable, CaseIterable {
    /// New messages, from wherever they come.
    case receiving
    /// The pictures of accepted messages.
    case reading
    /// Converted and fetched pictures on their way to Pinry.
    case delivering
}

/// Keeps room free for the work that was accepted already.
struct DiskReserve: Sendable {
    /// What receiving leaves, in bytes; reading leaves half of it.
    static let bytes = 512 << 20
    /// On a small disk it is one part of so many.
    static let part = 10

    /// nil where nobody can say; then writing itself will tell.
    let space: @Sendable () -> DiskSpace?

    /// The disk that a folder is on.
    init(of folder: String) {
        space = {
            var facts = statvfs()
            guard statvfs(folder, &facts) == 0 else { return nil }
            return DiskSpace(
                free: Self.bytes(in: facts.f_bavail, of: facts.f_frsize),
                total: Self.bytes(in: facts.f_blocks, of: facts.f_frsize))
        }
    }

    /// A file system may count its blocks as it likes: what is beyond all numbers is as much as there can be.
    static func bytes(in blocks: UInt, of size: UInt) -> Int {
        let (bytes, isBeyond) = blocks.multipliedReportingOverflow(by: size)
        return isBeyond ? .max : Int(clamping: bytes)
    }

    init(_ space: @escaping @Sendable () -> DiskSpace?) { self.space = space }

    static func kept(of total: Int, from use: DiskUse) -> Int {
        let reserve = min(bytes, total / part)
        return switch use {
        case .receiving: reserve
        case .reading: reserve / 2
        case .delivering: 0
        }
    }

    /// Throws `.diskFull` where no more may be written for this.
    func check(for use: DiskUse) throws(StoreError) {
        guard use != .delivering, let space = space() else { return }
        guard space.free >= Self.kept(of: space.total, from: use) else {
            throw StoreError(.diskFull, "\(space.free >> 20) MiB are left for what was accepted already")
        }
    }
}

/// The spool for one use.
struct RationedSpool: BlobStore {
    let spool: Spool
    let use: DiskUse

    func makeWriter() -> any BlobWriter { SpoolWriter(spool: spool, for: use) }
    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader { try spool.open(bytes) }
    func discard(_ bytes: StoredBytes) { spool.discard(bytes) }
}
