/// What is known of mails before their bodies are fetched.
extension IMAPConnection {
    /// What the server told of mails.
    struct Listing: Sendable {
        /// In bytes; only mails that are there.
        var sizes: [UInt32: Int] = [:]
        /// When they came, in seconds since 1970, where that was asked for.
        var arrivals: [UInt32: Int] = [:]
        /// Of these the server would not tell anything, with its words.
        var refused: [UInt32: String] = [:]
        /// What ended it in the middle.
        var failure: IMAPError?
    }

    /// Asks for the sizes of mails by one command; where it is refused, by halves, until it is known for which.
    func list(_ uids: [UInt32], withArrivals: Bool = false) -> Listing {
        var listing = Listing()
        var waiting = [uids[...]]
        let items = withArrivals ? "UID RFC822.SIZE INTERNALDATE" : "UID RFC822.SIZE"
        while let some = waiting.popLast() {
            do throws(IMAPError) {
                try command("UID FETCH \(UIDSet.text(Array(some))) (\(items))") { response in
                    guard case .fetched(let item) = response, let uid = item.uid else { return }
                    if let size = item.size { listing.sizes[uid] = size }
                    if let arrival = item.arrival { listing.arrivals[uid] = arrival }
                }
            } catch {
                guard error.code == .refused else {
                    listing.failure = error
                    return listing
                }
                let missing = some.filter { listing.sizes[$0] == nil }[...]
                if some.count == 1, let uid = missing.first { listing.refused[uid] = error.detail }
                guard some.count > 1, !missing.isEmpty else { continue }
                let middle = missing.count / 2
                waiting += [missing[middle...], missing[..<middle]].filter { !$0.isEmpty }
            }
        }
        return listing
    }

    /// Whether the server gives bodies at all: the beginning of this mail comes.
    func givesBody(of uid: UInt32) throws(IMAPError) -> Bool {
        var hasCome = false
        try command("UID FETCH \(uid) (UID BODY.PEEK[]<0.64>)") { response in
            if case .fetched(let item) = response, item.hasContent { hasCome = true }
        }
        return hasCome
    }
}
