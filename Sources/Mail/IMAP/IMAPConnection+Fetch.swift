internal import PinpostCore

/// Fetching bodies.
extension IMAPConnection {
    /// What one round of fetching brought.
    struct FetchedMails: Sendable {
        /// Complete mails; each UID once.
        var mails: [UInt32: ArrivingMail] = [:]
        /// Mails that did not come although the connection goes on, with the server's words.
        var refused: [UInt32: String] = [:]
        /// What ended it in the middle; mails that were complete count, and after `.busy` the connection goes on.
        var failure: IMAPError?
        /// Mails that were asked for when it ended, and whose command was not carried out to its end.
        var interrupted: [UInt32] = []
    }

    /// Commands that are sent before the first one is answered.
    private static let window = 2
    /// A server that sends more bodies beside those we asked for is given up.
    private static let unaskedBodies = 10

    /// Fetches each set by one command; bodies go to writers of `blobs` as they come.
    func fetch(_ sets: [[UInt32]], into blobs: any BlobStore) -> FetchedMails {
        var fetched = FetchedMails()
        var open: [String: [UInt32]] = [:]
        do throws(IMAPError) {
            try fetch(sets, into: blobs, &fetched, &open)
        } catch {
            fetched.failure = error
            fetched.interrupted += open.values.joined()
        }
        fetched.interrupted = fetched.interrupted.filter { fetched.mails[$0] == nil }
        return fetched
    }

    /// `open` are the commands under way.
    private func fetch(
        _ sets: [[UInt32]], into blobs: any BlobStore, _ fetched: inout FetchedMails, _ open: inout [String: [UInt32]]
    ) throws(IMAPError) {
        var waiting = sets[...]
        let asked = Set(sets.joined())
        var bodies = 0
        while !open.isEmpty || !waiting.isEmpty && fetched.failure == nil {
            while open.count < Self.window, fetched.failure == nil, let set = waiting.popFirst() {
                let tag = nextTag()
                open[tag] = set
                try send("\(tag) UID FETCH \(UIDSet.text(set)) (UID BODY.PEEK[])\r\n")
            }
            switch try next(storing: { ArrivingMail(blobs.makeWriter()) }) {
            case .fetched(let item):
                guard let mail = item.mail else { continue }
                bodies += 1
                guard bodies <= asked.count + Self.unaskedBodies else {
                    throw IMAPError(.broken, "more mails than were asked for")
                }
                guard let uid = item.uid, asked.contains(uid), mail.count > 0, fetched.mails[uid] == nil else {
                    continue
                }
                fetched.mails[uid] = mail
            case .completed(let tag, let status):
                guard let set = open.removeValue(forKey: tag) else {
                    throw IMAPError(.broken, "an answer to \(tag.prefix(20))")
                }
                note(set, ended: status, in: &fetched)
                beginAnswers()
            default: break
            }
        }
    }

    /// OK without a body is no success: iCloud and others do that.
    private func note(_ set: [UInt32], ended status: IMAPStatus, in fetched: inout FetchedMails) {
        let missing = set.filter { fetched.mails[$0] == nil }
        let error = status.error
        if status.condition != .ok, error.code == .busy {
            fetched.failure = fetched.failure ?? error
            fetched.interrupted += missing
            return
        }
        for uid in missing {
            fetched.refused[uid] = status.condition == .ok ? "the server sent no body" : error.detail
        }
    }
}
