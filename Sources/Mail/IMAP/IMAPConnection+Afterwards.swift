/// What happens to mails whose pins are made; each of these may be repeated.
extension IMAPConnection {
    var canMove: Bool { capabilities.contains("MOVE") }
    var canExpungeByUID: Bool { capabilities.contains("UIDPLUS") }

    /// Adds flags or keywords.
    func mark(_ uids: [UInt32], with flag: String) throws(IMAPError) {
        try command("UID STORE \(UIDSet.text(uids)) +FLAGS.SILENT (\(flag))")
    }

    /// Moves by MOVE (RFC 6851); a missing folder is made.
    func move(_ uids: [UInt32], to folder: String) throws(IMAPError) {
        try making(folder) { () throws(IMAPError) in
            try command("UID MOVE \(UIDSet.text(uids)) \(FolderName.quoted(folder))")
        }
    }

    /// The first half of a move without MOVE.
    func copy(_ uids: [UInt32], to folder: String) throws(IMAPError) {
        try making(folder) { () throws(IMAPError) in
            try command("UID COPY \(UIDSet.text(uids)) \(FolderName.quoted(folder))")
        }
    }

    /// Removes these and no others: without UIDPLUS (RFC 4315) they are only marked as deleted.
    func delete(_ uids: [UInt32]) throws(IMAPError) {
        try mark(uids, with: "\\Deleted")
        if canExpungeByUID { try command("UID EXPUNGE \(UIDSet.text(uids))") }
    }

    private func making(_ folder: String, _ body: () throws(IMAPError) -> Void) throws(IMAPError) {
        do throws(IMAPError) {
            try body()
        } catch {
            guard error.responseCode == "TRYCREATE" else { throw error }
            try command("CREATE \(FolderName.quoted(folder))")
            try body()
        }
    }
}
