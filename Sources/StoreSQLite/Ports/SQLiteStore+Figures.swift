internal import Glibc
public import PinpostCore

extension SQLiteStore {
    /// A file system may count its blocks as it likes: what is beyond all numbers is as much as there can be.
    static func bytes(in blocks: UInt, of size: UInt) -> Int {
        let (bytes, isBeyond) = blocks.multipliedReportingOverflow(by: size)
        return isBeyond ? .max : Int(clamping: bytes)
    }

    /// Counts what waits, from partial indexes that hold little else.
    public func figures() async throws(StoreError) -> StoreFigures {
        let path = folder.path
        let free = await files.run {
            var facts = statvfs()
            return statvfs(path, &facts) == 0 ? Self.bytes(in: facts.f_bavail, of: facts.f_frsize) : 0
        }
        return try await readers.read { (connection) throws(StoreError) in
            var figures = StoreFigures()
            figures.freeBytes = free
            func count(_ rows: String) throws(StoreError) -> Int {
                try connection.first("SELECT count(*) FROM \(rows)") { (row: inout Row) throws(StoreError) in row.int()
                }
                    ?? 0
            }
            figures.unreadMessages = try count("messages WHERE state = 'accepted'")
            figures.itemsToPrepare = try count("items WHERE state = 'ready' AND lane = 0")
            figures.itemsToDeliver = try count("items WHERE state = 'ready' AND lane = 1")
            figures.runningItems = try count("items WHERE state = 'running'")
            figures.parkedItems = try count("items WHERE state = 'parked'")
            figures.owedReplies = try count("replies WHERE settled_at IS NULL")
            figures.heldMails = try count("quarantine")
            return figures
        }
    }
}
