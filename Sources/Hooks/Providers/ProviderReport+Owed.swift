internal import PinpostCore

extension ProviderReport {
    init(_ reply: OwedReply, boards: [Board]) {
        message = reply.message.id
        let items = reply.items.sorted { $0.sequence < $1.sequence }
        canUndo = PinUndo.isPossible(for: items)
        var lines = items.map { Line($0, on: reply.server, boards: boards) }
        lines += reply.message.skipped.prefix(Self.mostSkipped).map { part in
            let name = part.name.map { String($0.prefix(80)) } ?? (part.kind == .image ? "a picture" : "a file")
            return Line(text: "Left out \(name): \(SenderWords.of(part.reason)).", url: nil)
        }
        if reply.message.skipped.count > Self.mostSkipped {
            lines.append(Line(text: "… and \(reply.message.skipped.count - Self.mostSkipped) more left out.", url: nil))
        }
        if lines.isEmpty, reply.message.state != .parked {
            lines.append(Line(text: "There is nothing to pin: send a picture or a link.", url: nil))
        }
        if let note = reply.message.reason { lines.append(Line(text: SenderWords.of(note), url: nil)) }
        self.lines = lines
    }

    private static let mostSkipped = 10
}

extension ProviderReport.Line {
    fileprivate init(_ item: Item, on server: Server, boards: [Board]) {
        let reason = item.reason.map(SenderWords.of)
        let page = item.facts.pin.map { server.page(of: $0) }
        switch item.state {
        case .done where item.facts.image == nil && server.dialect == .v2: self.init(text: "Already pinned:", url: page)
        case .done:
            let place = item.boardName(among: boards).map { " on \($0)" } ?? ""
            let note = reason.map { " (\($0))" } ?? ""
            self.init(text: "Pinned\(place)\(note)" + (page == nil ? "." : ":"), url: page)
        case .parked: self.init(text: "Not pinned, \(item.shownName): \(reason ?? "it failed").", url: page)
        case .cancelled: self.init(text: "Stopped: \(item.shownName).", url: nil)
        case .ready, .running:
            let why = reason.map { " (\($0))" } ?? ""
            self.init(text: "Still being tried, \(item.shownName)\(why).", url: nil)
        }
    }
}

extension Item {
    /// What the sender calls it.
    fileprivate var shownName: String {
        switch kind {
        case .image(_, let name): name ?? "the picture"
        case .media(let media): media.name ?? "the picture"
        case .link(let link): String((SignedLink.shown(link.url) ?? "the link").prefix(200))
        }
    }

    fileprivate func boardName(among boards: [Board]) -> String? {
        switch draft.destination {
        case .none: nil
        case .board(let id): boards.first { $0.id == id }?.name
        case .newBoard(let name): name
        }
    }
}
