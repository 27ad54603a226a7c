internal import PinpostCore

/// Reads a stored message of a named provider.
struct ProviderReading {
    let provider: any Provider
    let blobs: any BlobStore

    /// Joins the parts of an album; posts that came in one request stay apart.
    func read(_ message: Message, knownBoards: [String]) throws(HookError) -> MessageContent {
        guard message.envelope.undo == nil else { return Self.order }
        guard let body = message.body, case .hook(let hook) = message.route else {
            throw HookError(.malformed, "The body is gone.")
        }
        let intake = Intake(blobs: blobs, limits: HookLimits())
        do throws(HookError) {
            var drafts: [Draft] = []
            for part in message.album.isEmpty ? [body] : message.album {
                drafts += try provider.read(delivery(part, of: message, by: hook), into: intake)
            }
            if let reason = message.envelope.fields[StoredDelivery.noFiles] {
                drafts = drafts.map { $0.without(mediaBecause: reason) }
            }
            var content = try Self.content(of: drafts, isAlbum: message.album.count > 1, knownBoards: knownBoards)
            content.wantsReply = message.envelope.reply != nil
            return content
        } catch {
            intake.discardPictures()
            throw error
        }
    }

    static func content(
        of drafts: [Draft], isAlbum: Bool, knownBoards: [String]
    ) throws(HookError) -> MessageContent {
        try Assembly(knownBoards: knownBoards, takesNothing: true).content(of: payload(of: drafts, isAlbum: isAlbum))
    }

    /// An Undo is carried out where its answer is given.
    private static let order: MessageContent = {
        var content = MessageContent(source: .hook)
        (content.wantsReply, content.isOrder) = (true, true)
        return content
    }()

    private func delivery(_ body: StoredBytes, of message: Message, by hook: Hook.ID) -> StoredDelivery {
        StoredDelivery(
            contentType: message.envelope.contentType, fields: message.envelope.fields, hook: hook,
            earlyParts: message.earlyParts, bytesLimit: provider.bodyLimit
        ) { [blobs] () throws(StoreError) in try blobs.open(body) }
    }

    /// What one post says is said of it alone.
    private static func payload(of drafts: [Draft], isAlbum: Bool) -> Payload {
        if isAlbum || drafts.count <= 1 {
            return Payload(drafts.dropFirst().reduce(drafts.first ?? Draft()) { $0.joined($1) })
        }
        var payload = Payload()
        payload.items = drafts
        return payload
    }
}

extension Draft {
    /// What lies with the provider is left out; pictures that came with the message stay.
    fileprivate func without(mediaBecause reason: String) -> Draft {
        var draft = self
        draft.media = []
        draft.skipped += media.map {
            SkippedPart(.image, name: $0.name, type: $0.type, bytes: $0.count, reason: reason)
        }
        return draft
    }

    /// Both in one: the words below each other, the pictures in order.
    fileprivate func joined(_ next: Draft) -> Draft {
        var draft = self
        let texts = [text, next.text].compactMap(\.self)
        draft.text = texts.isEmpty ? nil : texts.joined(separator: "\n")
        draft.media += next.media
        draft.pictures += next.pictures
        draft.skipped += next.skipped
        var others = next
        (others.text, others.media, others.pictures, others.skipped) = (nil, [], [], [])
        draft.fill(from: others)
        return draft
    }
}
