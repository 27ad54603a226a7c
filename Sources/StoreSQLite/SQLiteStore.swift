internal import Cryptography
public import FoundationEssentials
public import PinpostCore

/// The embedded store: one SQLite file and a spool in one data folder, held by one process.
///
/// One thread writes, with everything that waits in one commit; other threads read. It is every store port at once.
public final class SQLiteStore: Sendable {
    /// Fires after messages were accepted, or may be read again.
    public let messagesArrived: Signal
    /// Fires after items became due, or got another due time.
    public let itemsArrived: Signal
    /// Fires after messages have reached a final state.
    public let messagesFinished: Signal
    /// Fires after mailboxes were added, changed or removed.
    public let mailboxesChanged: Signal

    let writer: Writer
    let readers: Readers
    let spool: Spool
    let cache: DirectoryCache
    let finals: FinalWatch
    let envelopes = EnvelopeTexts()
    /// Names this process among the holders of leases.
    let owner: String
    /// How long a lost answer is waited out before the pins are read, in seconds.
    let quiet: TimeInterval
    let folder: DataFolder
    /// For what is done to files beside the messages.
    let files = BlockingPool(width: 1)

    /// Opens the store in `path` and makes it when it is not there; releases what a crashed predecessor left.
    ///
    /// `quiet` is `PINPOST_PINRY_QUIET`, in seconds: how long a pin that a crash interrupted stays in doubt. Fails with
    /// `.unusable`, `.locked`, `.newerSchema`, `.corrupt` or `.diskFull`, each with what to do. `disk` tells how much room
    /// there is; left out, the system does.
    public static func open(
        in path: String, now: Date, quiet: TimeInterval = 60, readers: Int = 2,
        disk: (@Sendable () -> DiskSpace?)? = nil
    ) async throws(StoreError) -> SQLiteStore {
        let files = try await BlockingPool(width: 1).run { () throws(StoreError) -> (DataFolder, Spool) in
            let folder = try DataFolder(path: path)
            let disk = disk.map { DiskReserve($0) } ?? DiskReserve(of: folder.path)
            return (folder, try Spool(root: folder.spool, disk: disk))
        }
        return try await SQLiteStore(folder: files.0, spool: files.1, now: now, quiet: quiet, readers: readers)
    }

    private init(
        folder: DataFolder, spool: Spool, now: Date, quiet: TimeInterval, readers: Int
    ) async throws(StoreError) {
        let (messages, items) = (Signal(), Signal())
        let (finished, mailboxes) = (Signal(), Signal())
        let (cache, finals) = (DirectoryCache(), FinalWatch())
        let follow: Writer.AfterCommit = { effects in
            if effects.directoryChanged { cache.clear() }
            for server in effects.changedServers { cache.forget(server) }
            if effects.messagesArrived { messages.fire() }
            if effects.itemsArrived { items.fire() }
            for message in effects.finishedMessages { finals.fire(message) }
            if !effects.finishedMessages.isEmpty { finished.fire() }
            if effects.mailboxesChanged { mailboxes.fire() }
            for blob in effects.orphanedBlobs { spool.remove(blob) }
        }
        var random = SystemRandom()
        let instanceID = random.bytes(16)
        writer = try await Writer.start(
            path: folder.database,
            prepare: { connection throws(StoreError) in
                try Migrations.run(on: connection, instanceID: instanceID)
                try Recovery(connection: connection, now: now, quiet: quiet).run(sweeping: spool)
            }, afterCommit: follow)
        self.readers = try Readers(path: folder.database, count: max(readers, 1))
        (messagesArrived, itemsArrived) = (messages, items)
        (messagesFinished, mailboxesChanged) = (finished, mailboxes)
        (self.cache, self.finals, self.spool) = (cache, finals, spool)
        owner = Identifier<SQLiteStore>.random(using: &random).rawValue
        self.quiet = quiet
        self.folder = folder
    }

    /// Ends in good order: what waits is committed, nothing of this process counts as a crash; later calls fail.
    public func close() async {
        _ = try? await writer.write { (transaction) throws(StoreError) in
            try Recovery.handBack(on: transaction.connection)
        }
        await abandon()
    }

    /// Lets go of threads, files and the lock, and leaves everything else as a crash would.
    public func abandon() async {
        readers.close()
        await writer.stop()
        folder.unlock()
    }
}

extension SQLiteStore {
    /// Commits a small write and stores a body for a moment, as of a message; throws what would be told to its sender.
    public func probe() async throws(StoreError) {
        try await files.run { [spool] () throws(StoreError) in try spool.probe() }
        _ = try await writer.write { (transaction) throws(StoreError) in
            // SQLite writes no page that stays as it is.
            try transaction.connection.run(
                """
                INSERT INTO meta (key, value) VALUES ('probe', 0)
                ON CONFLICT (key) DO UPDATE SET value = 1 - CAST(value AS INTEGER)
                """)
        }
    }
}
