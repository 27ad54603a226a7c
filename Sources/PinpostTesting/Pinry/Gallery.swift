import PinpostCore

/// Pages for people: all pins, and one pin; everything that was sent in is escaped.
struct Gallery {
    let state: PinryState

    func page(_ request: PinryRequest) -> PinryReply? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        let parts = request.path.split(separator: "/").map(String.init)
        let prefix = request.base.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
        switch parts.count {
        case 0:
            let cards = state.pins.reversed().map { card($0, String(prefix)) }.joined(separator: "\n")
            return page(title: "\(state.pins.count) pins", cards)
        case 2 where parts[0] == "pins":
            guard let pin = Int64(parts[1]).flatMap(state.pin) else { return nil }
            return page(title: "Pin \(pin.id)", card(pin, String(prefix)))
        case 3 where parts[0] == "pins" && parts[1] == "boards":
            guard let board = Int64(parts[2]).flatMap(state.board) else { return nil }
            return page(title: board.name, board.pins.compactMap(state.pin).map { card($0, String(prefix)) }.joined())
        default: return nil
        }
    }

    private func card(_ pin: PinryState.Pin, _ prefix: String) -> String {
        let path = state.images[pin.image].map { "\(prefix)\(PinryState.mediaPath($0))" } ?? ""
        let boards = state.boards.filter { $0.pins.contains(pin.id) }.map(\.name).joined(separator: ", ")
        let isWeb = pin.referer.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") } ?? false
        let source =
            isWeb ? "<a href=\"\(escape(pin.referer ?? ""))\" rel=\"noreferrer\">\(escape(pin.referer ?? ""))</a>" : ""
        return """
            <article><a href="\(prefix)/pins/\(pin.id)"><img src="\(escape(path))" alt=""></a>
            <p>\(escape(pin.description ?? ""))</p><p>\(source)</p>
            <p class="small">\(escape(pin.user)) · \(escape(boards)) · \(escape(pin.tags.map { "#\($0)" }.joined(separator: " ")))\(pin.isPrivate ? " · private" : "")</p></article>
            """
    }

    private func page(title: String, _ content: String) -> PinryReply {
        let style = """
            body{font:15px system-ui,sans-serif;margin:2rem;background:#faf7fa}main{columns:16rem;gap:1rem}
            article{break-inside:avoid;background:#fff;border-radius:8px;margin:0 0 1rem;padding:.6rem;overflow-wrap:anywhere}
            img{width:100%;border-radius:4px}p{margin:.4rem 0}.small{color:#777;font-size:.85em}h1{color:#c2185b}
            """
        let text = """
            <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>\(escape(title))</title>\
            <meta name="viewport" content="width=device-width"><style>\(style)</style></head>\
            <body><h1>\(escape(title))</h1><main>\(content)</main></body></html>
            """
        return PinryReply(status: 200, contentType: "text/html; charset=utf-8", body: Array(text.utf8))
    }

    private func escape(_ text: String) -> String {
        text.map { character in
            switch character {
            case "<": "&lt;"
            case ">": "&gt;"
            case "&": "&amp;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(character)
            }
        }.joined()
    }
}

extension PinryState {
    static func mediaPath(_ image: Image) -> String {
        "/media/\(image.md5.prefix(1))/\(image.md5.dropFirst().prefix(1))/\(image.md5)/\(image.fileName)"
    }

    /// Pictures are served to everybody, private pins' too, as measured.
    func media(_ path: String) -> PinryReply? {
        guard path.hasPrefix("/media/"), let image = images.values.first(where: { Self.mediaPath($0) == path }) else {
            return nil
        }
        let type = PictureType.sniff(image.bytes)?.mimeType ?? "application/octet-stream"
        return PinryReply(
            status: 200, contentType: type, headers: [("X-Content-Type-Options", "nosniff")], body: image.bytes)
    }
}
