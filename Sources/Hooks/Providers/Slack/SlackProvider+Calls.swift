internal import PinpostCore

/// Calls to Slack: files and answers; the token goes to Slack's own hosts only.
extension SlackProvider {
    static func isSlack(_ url: String) -> Bool {
        guard url.hasPrefix("https://") else { return false }
        let host = ProviderAccess.host(of: url)
        return ["slack.com", "slack-files.com"].contains { host == $0 || host.hasSuffix(".\($0)") }
    }

    func fetch(
        _ media: MediaReference, with access: ProviderAccess, after answers: [HTTPResponse]
    ) throws(ProviderError) -> MediaStep {
        let isAddress = media.file.contains("://")
        switch answers.count {
        case 0 where !isAddress:
            return .call(try access.call("/files.info?file=\(Self.plain(media.file))", of: self, scheme: "Bearer"))
        case 0: return .call(try file(media.file, access))
        case 1 where !isAddress:
            let file = try? JSONTree(answers[0].body)["file"]
            guard let url = file?["url_private_download"]?.text ?? file?["url_private"]?.text else {
                throw ProviderError(.refused, "Slack gives no way to the file.")
            }
            return .call(try self.file(url, access))
        default:
            // Without the right to read files Slack shows its login page.
            if let type = answers.last?.header("content-type"), type.hasPrefix("text/html") {
                throw ProviderError(.refused, "The app may not read files: it needs the scope files:read.")
            }
            return .done
        }
    }

    private func file(_ url: String, _ access: ProviderAccess) throws(ProviderError) -> ProviderCall {
        guard let token = access.token else { throw ProviderError(.notConfigured, "The hook has no bot token.") }
        var call = try own(url, access)
        call.request.authorization = ("Bearer", token)
        return call
    }

    /// A call to an address that Slack gave: on its own hosts, or moved to the hook's `--api-base`.
    private func own(_ url: String, _ access: ProviderAccess) throws(ProviderError) -> ProviderCall {
        guard let place = access.moved(url, where: Self.isSlack) else {
            throw ProviderError(.refused, "The address does not belong to Slack.")
        }
        return ProviderCall(HTTPRequest(url: place), as: .provider(host: ProviderAccess.host(of: place)))
    }

    private static func plain(_ id: String) -> String { id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) } }

    // MARK: - Answers

    func reply(_ report: ProviderReport, to target: ReplyTarget, with access: ProviderAccess) -> [ProviderCall] {
        let lines = report.lines.map { line in
            let text = SlackText.escaped(line.text)
            return line.url.map { "\(text) <\($0)>" } ?? text
        }
        let text = JSONText.quote(String(lines.joined(separator: "\n").prefix(Self.longestText)))
        var blocks = ["{\"type\":\"section\",\"text\":{\"type\":\"mrkdwn\",\"text\":\(text)}}"]
        if report.canUndo {
            let value = JSONText.quote(report.message.rawValue)
            blocks.append(
                "{\"type\":\"actions\",\"elements\":[{\"type\":\"button\",\"action_id\":\"\(Self.undoAction)\","
                    + "\"text\":{\"type\":\"plain_text\",\"text\":\"Undo\"},\"value\":\(value)}]}")
        }
        var members = [
            "\"text\":\(text)", "\"blocks\":[\(blocks.joined(separator: ","))]", "\"unfurl_links\":false",
            "\"unfurl_media\":false",
        ]
        if let key = target.key {
            members.append("\"response_type\":\"ephemeral\"")
            return [try? respond(at: key, members, access)].compactMap(\.self)
        }
        guard let channel = target.fields["channel"] else { return [] }
        members.append("\"channel\":\(JSONText.quote(channel))")
        if let thread = target.fields["thread"] { members.append("\"thread_ts\":\(JSONText.quote(thread))") }
        return [
            try? access.call(
                "/chat.postMessage", of: self, method: "POST", scheme: "Bearer", body: Self.json(members))
        ].compactMap(\.self)
    }

    func tell(_ undo: UndoReport, with access: ProviderAccess) -> [ProviderCall] {
        guard let key = undo.target.key else { return reply(ProviderReport(undo), to: undo.target, with: access) }
        let members = [
            "\"text\":\(JSONText.quote(SlackText.escaped(undo.text)))", "\"replace_original\":\(undo.isDone)",
            "\"response_type\":\"ephemeral\"",
        ]
        return [try? respond(at: key, members, access)].compactMap(\.self)
    }

    /// A `response_url` is good for five answers in half an hour.
    private func respond(
        at key: Secret, _ members: [String], _ access: ProviderAccess
    ) throws(ProviderError) -> ProviderCall {
        var call = try own(key.withBytes { String(decoding: $0, as: UTF8.self) }, access)
        call.request.method = "POST"
        call.request.body = Self.json(members)
        return call
    }

    private static func json(_ members: [String]) -> HTTPRequest.Body {
        .bytes(Array("{\(members.joined(separator: ","))}".utf8), contentType: "application/json; charset=utf-8")
    }

    /// Of a section block.
    private static let longestText = 2_900
}
