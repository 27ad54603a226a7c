import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

@Suite("What no provider sends", .timeLimit(.minutes(10)))
struct HostileProviderTests {
    private static let deep = String(repeating: "[", count: 2_000)

    /// Not in the form of any provider.
    private static let bodies: [(name: String, bytes: [UInt8])] = [
        ("empty", []), ("white space", Array(" \r\n\t".utf8)), ("an array", Array("[]".utf8)),
        ("null", Array("null".utf8)), ("a number", Array("1e999".utf8)), ("a text", Array(#""x""#.utf8)),
        ("cut", Array(#"{"update_id":1,"#.utf8)), ("a lone surrogate as key", Array(#"{"\ud800":1}"#.utf8)),
        ("NUL", Array(#"{"a":"\u0000"}"#.utf8)), ("deep", Array(deep.utf8)),
        ("deep objects", Array(String(repeating: #"{"a":"#, count: 500).utf8)),
        ("keys twice", Array(#"{"type":1,"type":2,"update_id":1,"update_id":2,"entry":1,"entry":2}"#.utf8)),
        ("a byte order mark alone", [0xEF, 0xBB, 0xBF]), ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0]),
        ("half a character", Array(#"{"a":""#.utf8) + [0xF0, 0x9F] + Array(#""}"#.utf8)),
        ("a boundary", Array("--x\r\n\r\n--x--\r\n".utf8)),
    ]
    private static let types = [
        nil, "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "multipart/form-data", "text/plain", "image/png", "x", "",
    ]

    @Test("is answered as final, not as our fault, and nothing of it is kept", arguments: Providers.all.map(\.name))
    func refused(_ name: String) throws {
        let provider = try #require(Providers.named(name))
        for (body, bytes) in Self.bodies {
            for type in Self.types {
                let what = "\(name), \(body) as \(type ?? "nothing")"
                do throws(HookError) {
                    switch try provider.receive(Self.request(bytes, type, to: provider)) {
                    case .accept(let delivery, _):
                        // What has no form of its own may be a post without words: then nothing comes of it.
                        let stored = Self.stored(bytes, type, provider, fields: delivery.fields)
                        let drafts = try provider.read(stored, into: Intake(blobs: NoBlobs(), limits: HookLimits()))
                        let content = try ProviderReading.content(of: drafts, isAlbum: false, knownBoards: [])
                        #expect(content.items.isEmpty, "\(what)")
                    case .acceptEach(let parts, _): #expect(parts.isEmpty, "\(what)")
                    case .acceptMail: #expect(name == "cloudflare-email-worker", "\(what)")
                    case .answer(let answer, _): #expect(answer.status < 500, "\(what)")
                    case .answerAfter: Issue.record("\(what) makes calls")
                    case .refuse: break
                    }
                } catch {
                    #expect(error.code != .unavailable, "\(what): \(error.detail)")
                    // mox knows no stop code but success.
                    let isFinal = name == "mox" ? 200..<201 : 400..<500
                    let status = provider.answer(to: ProviderFailure(error)).status
                    #expect(isFinal.contains(status) && status != 429 || error.code == .nothingUsable, "\(what)")
                }
            }
        }
    }

    @Test("what may pass is never answered with a code that ends the sending", arguments: Providers.all.map(\.name))
    func temporary(_ name: String) throws {
        let provider = try #require(Providers.named(name))
        #expect(provider.answer(to: .temporary).status == 503)
        let busy = provider.answer(to: .busy).status
        #expect(busy == 503 || busy == 429)
    }

    private static func stored(
        _ bytes: [UInt8], _ type: String?, _ provider: any Provider, fields: [String: String] = [:]
    ) -> StoredDelivery {
        StoredDelivery(contentType: type, fields: fields, hook: Hook.ID("h"), bytesLimit: provider.bodyLimit) {
            () throws(StoreError) in BodyReader(bytes)
        }
    }

    private static func request(_ bytes: [UInt8], _ type: String?, to provider: any Provider) -> ProviderRequest {
        let settings = HookSettings(allowed: [], options: ["signature": "off"])
        var access = ProviderAccess(hook: Hook.ID("h"), settings: settings)
        access.allowsAll = true
        return ProviderRequest(
            method: "POST", query: [], headers: type.map { [("content-type", $0)] } ?? [],
            body: stored(bytes, type, provider), access: access, receivedAt: Date(timeIntervalSince1970: 0),
            blobs: NoBlobs())
    }

    // MARK: - Things that providers do send, and that are no new picture

    private struct Event {
        let provider: String
        let json: String

        init(_ provider: String, _ json: String) { (self.provider, self.json) = (provider, json) }
    }

    private static let telegram = [
        #""edited_message":{"message_id":1,"chat":{"id":7,"type":"private"},"from":{"id":7},"photo":[{"file_id":"a"}]}"#,
        #""edited_channel_post":{"message_id":1,"chat":{"id":7},"photo":[{"file_id":"a"}]}"#,
        #""business_message":{"message_id":1,"chat":{"id":7},"from":{"id":7},"photo":[{"file_id":"a"}]}"#,
        #""deleted_business_messages":{"chat":{"id":7},"message_ids":[1]}"#,
        #""message_reaction":{"chat":{"id":7},"message_id":1}"#, #""my_chat_member":{"chat":{"id":7}}"#,
        #""message":{"message_id":1,"chat":{"id":7,"type":"group"},"from":{"id":7},"new_chat_members":[{"id":8}]}"#,
        #""message":{"message_id":1,"chat":{"id":7,"type":"group"},"from":{"id":7},"pinned_message":{"message_id":2,"photo":[{"file_id":"a"}]}}"#,
        #""message":{"message_id":1,"chat":{"id":7,"type":"group"},"from":{"id":7},"new_chat_photo":[{"file_id":"a"}]}"#,
        #""message":{"message_id":9223372036854775808,"chat":{"id":7},"photo":[{"file_id":"a"}]}"#,
        #""message":{"message_id":1.5,"chat":{"id":"7"},"photo":[{"file_id":"a"}]}"#,
    ]
    private static let slack = [
        #""type":"message","subtype":"message_changed","message":{"files":[{"id":"F"}]}"#,
        #""type":"message","subtype":"message_deleted","previous_message":{"files":[{"id":"F"}]}"#,
        #""type":"message","subtype":"channel_join","text":"<@U> joined https://e.example""#,
        #""type":"message","subtype":"bot_message","text":"https://e.example""#,
        #""type":"message","bot_id":"B","text":"https://e.example""#, #""type":"reaction_added","reaction":"x""#,
        #""type":"file_deleted","file_id":"F""#, #""type":"file_change","file_id":"F""#,
    ]

    private static let events: [Event] =
        telegram.map { Event("telegram", #"{"update_id":1,\#($0)}"#) }
        + slack.map {
            Event(
                "slack",
                #"{"type":"event_callback","event_id":"E","event":{"user":"U","channel":"C","ts":"1.2",\#($0)}}"#)
        } + [
            Event("discord", #"{"type":4,"id":"1","token":"t","data":{"name":"pin"}}"#),
            Event("discord", #"{"type":9223372036854775807,"id":"1","token":"t"}"#),
            Event("discord", #"{"type":1,"event":{"type":"APPLICATION_AUTHORIZED"}}"#),
            Event(
                "line",
                #"{"events":[{"type":"unsend","unsend":{"messageId":"1"}},{"type":"join"},{"type":"memberJoined"}]}"#),
            Event(
                "line", #"{"events":[{"type":"message","mode":"standby","message":{"type":"image","id":"1"}}]}"#),
            Event(
                "whatsapp",
                #"{"entry":[{"changes":[{"field":"messages","value":{"statuses":[{"id":"w","status":"read"}],"messages":[{"id":"x","from":"1","type":"reaction","reaction":{"emoji":"x"}},{"id":"y","from":"1","type":"unsupported","errors":[]},{"id":"z","from":"1","type":"revoke"}]}}]}]}"#
            ),
            Event(
                "signal",
                #"{"envelope":{"sourceNumber":"+1","timestamp":1,"receiptMessage":{"isRead":true}},"account":"+2"}"#),
            Event(
                "signal",
                #"{"envelope":{"sourceNumber":"+1","timestamp":1,"editMessage":{"dataMessage":{"message":"https://e.example"}}},"account":"+2"}"#
            ),
            Event(
                "signal",
                #"{"envelope":{"sourceNumber":"+2","timestamp":1,"syncMessage":{"sentMessage":{"destinationNumber":"+9","message":"https://e.example"}}},"account":"+2"}"#
            ),
            Event("rocketchat", #"{"message_id":"m","bot":true,"text":"https://e.example"}"#),
            Event(
                "matrix",
                #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.image","body":"a","url":"mxc://h/a","m.relates_to":{"rel_type":"m.replace","event_id":"$d"}}}"#
            ),
            Event("postmark", #"{"RecordType":"Bounce","MessageID":"m","Subject":"x"}"#),
            Event("postmark", #"{"RecordType":"SpamComplaint","MessageID":"m"}"#),
        ]
        + ["Bounce", "Complaint", "Delivery"].map { kind in
            let notice = JSONText.quote(#"{"notificationType":"\#(kind)","mail":{}}"#)
            return Event(
                "aws-ses-sns", #"{"Type":"Notification","MessageId":"1","TopicArn":"arn:x","Message":\#(notice)}"#)
        } + [
            Event("aws-ses-sns", #"{"Type":"UnsubscribeConfirmation","MessageId":"1","TopicArn":"arn:x","Token":"t"}"#)
        ]

    @Test(
        "edits, deletions, joins, receipts and bots are answered with success and make nothing",
        arguments: events.indices)
    func noNews(_ index: Int) throws {
        let event = Self.events[index]
        let provider = try #require(Providers.named(event.provider))
        let verdict = try provider.receive(Self.request(Array(event.json.utf8), "application/json", to: provider))
        guard case .answer(let answer, _) = verdict else {
            Issue.record("\(event.provider) took \(event.json)")
            return
        }
        #expect((200..<300).contains(answer.status), "\(event.json)")
    }
}
