internal import PinpostCore

/// One operation inside a commit: the connection, and what follows once the commit is on disk.
struct Transaction {
    let connection: Connection
    var effects = Effects()

    init(_ connection: Connection) { self.connection = connection }

    /// What may happen only after the commit.
    struct Effects {
        var messagesArrived = false
        var itemsArrived = false
        /// The cached answers of the directory are out of date.
        var directoryChanged = false
        var mailboxesChanged = false
        var changedServers: [Server.ID] = []
        /// Messages that have reached a final state.
        var finishedMessages: [Message.ID] = []
        /// Spool files that no row names any more.
        var orphanedBlobs: [Blob.ID] = []

        mutating func merge(_ other: Effects) {
            messagesArrived = messagesArrived || other.messagesArrived
            itemsArrived = itemsArrived || other.itemsArrived
            directoryChanged = directoryChanged || other.directoryChanged
            mailboxesChanged = mailboxesChanged || other.mailboxesChanged
            changedServers += other.changedServers
            finishedMessages += other.finishedMessages
            orphanedBlobs += other.orphanedBlobs
        }
    }
}
