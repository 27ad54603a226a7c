import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

@Suite("Undo as a word")
struct UndoWordTests {
    @Test("is the whole text, in any case, as a word or a command")
    func words() {
        for text in ["undo", " Undo ", "UNDO!", "/undo", "!undo", "undo."] {
            #expect(UndoWord.isAll(of: text), "\(text)")
        }
        for text in ["", "undo it", "undone", "please undo", "un do", "/undo x", "undo.txt", "undo!!", "u\u{301}ndo"] {
            #expect(!UndoWord.isAll(of: text), "\(text)")
        }
        #expect(!UndoWord.isAll(of: nil) && !UndoWord.isAll(of: String(repeating: " ", count: 1_000) + "undo"))
    }

    private struct Case {
        let provider: String
        let body: @Sendable (String) -> String
        var type = "application/json"
        var allowed: [String] = []
        /// What names the chat in the body, and another chat.
        var chat: (String, String)
    }

    private static let cases = [
        Case(
            provider: "telegram",
            body: {
                #"{"update_id":1,"message":{"message_id":1,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"\#($0)"}}"#
            }, allowed: ["7", "8"], chat: (#""chat":{"id":7"#, #""chat":{"id":8"#)),
        Case(
            provider: "slack",
            body: {
                #"{"type":"event_callback","event_id":"E","event":{"type":"app_mention","user":"U","channel":"C","ts":"1.2","text":"<@B> \#($0)"}}"#
            }, chat: (#""channel":"C""#, #""channel":"D""#)),
        Case(
            provider: "slack", body: { "command=%2Fpin&trigger_id=1&user_id=U&channel_id=C&text=\($0)" },
            type: "application/x-www-form-urlencoded", chat: ("channel_id=C", "channel_id=D")),
        Case(
            provider: "discord",
            body: {
                #"{"type":2,"id":"1","token":"t","application_id":"2","channel_id":"C","user":{"id":"U"},"data":{"name":"pin","type":1,"options":[{"name":"text","type":3,"value":"\#($0)"}]}}"#
            }, chat: (#""channel_id":"C""#, #""channel_id":"D""#)),
        Case(
            provider: "mattermost",
            body: { #"{"post_id":"p","trigger_word":"pin:","text":"pin: \#($0)","user_id":"U","channel_id":"c"}"# },
            chat: (#""channel_id":"c""#, #""channel_id":"d""#)),
        Case(
            provider: "rocketchat",
            body: { #"{"message_id":"m","channel_id":"c","user_id":"U","text":"\#($0)"}"# },
            chat: (#""channel_id":"c""#, #""channel_id":"d""#)),
        Case(
            provider: "twilio", body: { "From=%2B1&To=%2B2&MessageSid=SM1&NumMedia=0&Body=\($0)" },
            type: "application/x-www-form-urlencoded", chat: ("To=%2B2", "To=%2B3")),
        Case(
            provider: "signal",
            body: {
                #"{"envelope":{"sourceNumber":"+1","timestamp":5,"dataMessage":{"timestamp":5,"groupInfo":{"groupId":"g"},"message":"\#($0)"}},"account":"+2"}"#
            }, chat: (#""groupId":"g""#, #""groupId":"h""#)),
        Case(
            provider: "line",
            body: {
                #"{"events":[{"type":"message","mode":"active","webhookEventId":"W","source":{"type":"group","groupId":"G","userId":"U"},"message":{"type":"text","id":"1","text":"\#($0)"}}]}"#
            }, chat: (#""groupId":"G""#, #""groupId":"H""#)),
        Case(
            provider: "whatsapp",
            body: {
                #"{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"N"},"messages":[{"id":"w","from":"1","type":"text","text":{"body":"\#($0)"}}]}}]}]}"#
            }, chat: (#""phone_number_id":"N""#, #""phone_number_id":"O""#)),
        Case(
            provider: "matrix",
            body: {
                #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"> <@u:h> x\n\n\#($0)","m.relates_to":{"m.in_reply_to":{"event_id":"$d"}}}}"#
            }, chat: (#""room_id":"!r""#, #""room_id":"!s""#)),
    ]

    @Test("of one chat means nothing that the same person sent to another", arguments: cases.indices)
    func chats(_ index: Int) throws {
        let sample = Self.cases[index]
        let here = try delivery(of: sample, saying: "undo")?.author
        let other = Case(
            provider: sample.provider,
            body: { sample.body($0).replacing(sample.chat.0, with: sample.chat.1) }, type: sample.type,
            allowed: sample.allowed, chat: sample.chat)
        let there = try delivery(of: other, saying: "undo")?.author
        #expect(here != nil && there != nil && here != there, "\(sample.provider)")
    }

    private static let threadSamples: [(provider: String, message: String, inThread: String, outside: String)] = [
        (
            "slack",
            #"{"type":"event_callback","event_id":"E","event":{"type":"app_mention","user":"U","channel":"C","ts":"1.2","text":"<@B> https://e.example/"}}"#,
            #"{"type":"event_callback","event_id":"F","event":{"type":"app_mention","user":"U","channel":"C","ts":"3.4","thread_ts":"1.2","text":"<@B> undo"}}"#,
            #"{"type":"event_callback","event_id":"F","event":{"type":"app_mention","user":"U","channel":"C","ts":"3.4","text":"<@B> undo"}}"#
        ),
        (
            "mattermost", #"{"post_id":"p","text":"https://e.example/","user_id":"U","channel_id":"c"}"#,
            #"{"post_id":"q","text":"undo","user_id":"U","channel_id":"c","root_id":"p"}"#,
            #"{"post_id":"q","text":"undo","user_id":"U","channel_id":"c","root_id":""}"#
        ),
        (
            "rocketchat", #"{"message_id":"m","channel_id":"c","user_id":"U","text":"https://e.example/"}"#,
            #"{"message_id":"n","channel_id":"c","user_id":"U","text":"undo","tmid":"m"}"#,
            #"{"message_id":"n","channel_id":"c","user_id":"U","text":"undo"}"#
        ),
        (
            "matrix",
            #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"https://e.example/"}}"#,
            #"{"event_id":"$f","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"undo","m.relates_to":{"rel_type":"m.thread","event_id":"$e"}}}"#,
            #"{"event_id":"$f","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"undo"}}"#
        ),
        (
            "telegram",
            #"{"update_id":1,"message":{"message_id":1,"from":{"id":7},"chat":{"id":-9,"type":"supergroup"},"is_topic_message":true,"message_thread_id":4,"text":"https://e.example/"}}"#,
            #"{"update_id":2,"message":{"message_id":2,"from":{"id":7},"chat":{"id":-9,"type":"supergroup"},"is_topic_message":true,"message_thread_id":4,"text":"/undo"}}"#,
            #"{"update_id":2,"message":{"message_id":2,"from":{"id":7},"chat":{"id":-9,"type":"supergroup"},"text":"/undo"}}"#
        ),
    ]

    @Test("in a thread names it as a message of that thread does, outside none", arguments: threadSamples.indices)
    func threads(_ index: Int) throws {
        let sample = Self.threadSamples[index]
        func read(_ body: String) throws -> ProviderVerdict.Delivery? {
            let allowed = sample.provider == "telegram" ? ["7"] : []
            return try delivery(
                of: Case(provider: sample.provider, body: { _ in body }, allowed: allowed, chat: ("", "")), saying: "")
        }
        let (message, order) = (try read(sample.message), try read(sample.inThread))
        #expect(message?.undo == nil && message?.thread != nil && order?.undo == .newest)
        #expect(message?.thread == order?.thread && message?.author == order?.author, "\(sample.provider)")
        let outside = try read(sample.outside)
        #expect(outside?.undo == .newest && outside?.thread == nil, "\(sample.provider)")
    }

    private static let answers: [(provider: String, message: String, order: String)] = [
        (
            "telegram",
            #"{"update_id":1,"message":{"message_id":1,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"https://e.example/"}}"#,
            #"{"update_id":9,"message":{"message_id":9,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"undo","reply_to_message":{"message_id":1}}}"#
        ),
        (
            "matrix",
            #"{"event_id":"$e","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"https://e.example/"}}"#,
            #"{"event_id":"$f","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"undo","m.relates_to":{"m.in_reply_to":{"event_id":"$e"}}}}"#
        ),
        (
            "signal",
            #"{"envelope":{"sourceNumber":"+1","timestamp":5,"dataMessage":{"timestamp":5,"message":"https://e.example/"}},"account":"+2"}"#,
            #"{"envelope":{"sourceNumber":"+1","timestamp":9,"dataMessage":{"timestamp":9,"message":"undo","quote":{"id":5,"author":"u","authorNumber":"+1","authorUuid":"u"}}},"account":"+2"}"#
        ),
        (
            "line",
            #"{"events":[{"type":"message","mode":"active","webhookEventId":"W","source":{"type":"user","userId":"U"},"message":{"type":"text","id":"1","text":"https://e.example/"}}]}"#,
            #"{"events":[{"type":"message","mode":"active","webhookEventId":"X","source":{"type":"user","userId":"U"},"message":{"type":"text","id":"9","text":"undo","quotedMessageId":"1"}}]}"#
        ),
        (
            "whatsapp",
            #"{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"N"},"messages":[{"id":"w","from":"1","type":"text","text":{"body":"https://e.example/"}}]}}]}]}"#,
            #"{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"N"},"messages":[{"id":"x","from":"1","type":"text","text":{"body":"undo"},"context":{"from":"2","id":"w"}}]}}]}]}"#
        ),
    ]

    @Test("names the message that it answers as that one named itself", arguments: answers.indices)
    func answer(_ index: Int) throws {
        let sample = Self.answers[index]
        func read(_ body: String) throws -> ProviderVerdict.Delivery {
            let allowed = sample.provider == "telegram" ? ["7"] : []
            return try #require(
                try delivery(
                    of: Case(provider: sample.provider, body: { _ in body }, allowed: allowed, chat: ("", "")),
                    saying: ""))
        }
        let (message, order) = (try read(sample.message), try read(sample.order))
        #expect(order.undo == .newest && message.author == order.author, "\(sample.provider)")
        let name = try #require(order.answered, "\(sample.provider)")
        #expect(([message.id] + message.otherIDs).contains(name), "\(sample.provider)")
    }

    @Test("answers nobody where the chat itself names what came before, in topics and threads")
    func noAnswer() throws {
        let topic = Case(
            provider: "telegram",
            body: {
                #"{"update_id":1,"message":{"message_id":5,"from":{"id":7},"chat":{"id":-9,"type":"supergroup"},"is_topic_message":true,"message_thread_id":4,"reply_to_message":{"message_id":4,"forum_topic_created":{"name":"x"}},"text":"\#($0)"}}"#
            }, allowed: ["7"], chat: ("", ""))
        let thread = Case(
            provider: "matrix",
            body: {
                #"{"event_id":"$f","room_id":"!r","sender":"@u:h","type":"m.room.message","content":{"msgtype":"m.text","body":"\#($0)","m.relates_to":{"rel_type":"m.thread","event_id":"$e","is_falling_back":true,"m.in_reply_to":{"event_id":"$d"}}}}"#
            }, chat: ("", ""))
        for (sample, word) in [(topic, "/undo"), (thread, "undo")] {
            let order = try #require(try delivery(of: sample, saying: word))
            #expect(order.undo == .newest && order.thread != nil && order.answered == nil, "\(sample.provider)")
        }
    }

    @Test("is understood in every chat, has an author and brings nothing", arguments: cases.indices)
    func everywhere(_ index: Int) throws {
        let sample = Self.cases[index]
        let order = try delivery(of: sample, saying: "undo")
        #expect(order?.undo == .newest && order?.author != nil && order?.id != nil, "\(sample.provider)")
        let link = sample.type == "application/json" ? "https://e.example/a" : "https%3A%2F%2Fe.example%2Fa"
        let other = try delivery(of: sample, saying: link)
        #expect(other?.undo == nil && other?.author == order?.author, "\(sample.provider)")
    }

    private func delivery(of sample: Case, saying text: String) throws -> ProviderVerdict.Delivery? {
        let provider = try #require(Providers.named(sample.provider))
        let bytes = Array(sample.body(text).utf8)
        let body = StoredDelivery(contentType: sample.type, hook: Hook.ID("h"), bytesLimit: provider.bodyLimit) {
            () throws(StoreError) in BodyReader(bytes)
        }
        let access = ProviderAccess(hook: Hook.ID("h"), settings: HookSettings(allowed: sample.allowed))
        let request = ProviderRequest(
            method: "POST", query: [], headers: [], body: body, access: access, receivedAt: .distantPast,
            blobs: NoBlobs())
        switch try provider.receive(request) {
        case .accept(let delivery, _): return delivery
        case .acceptEach(let parts, _): return parts.first?.delivery
        default: return nil
        }
    }

    @Test("in a group of Telegram only the command counts, and talk in a channel of Slack is no order")
    func groups() throws {
        let group = Case(
            provider: "telegram",
            body: {
                #"{"update_id":1,"message":{"message_id":1,"from":{"id":7},"chat":{"id":-9,"type":"supergroup"},"text":"\#($0)"}}"#
            }, allowed: ["7"], chat: ("", ""))
        #expect(try delivery(of: group, saying: "undo") == nil)
        #expect(try delivery(of: group, saying: "/undo@pinbot")?.undo == .newest)
        let channel = Case(
            provider: "slack",
            body: {
                #"{"type":"event_callback","event_id":"E","event":{"type":"message","channel_type":"channel","user":"U","channel":"C","ts":"1.2","text":"\#($0)"}}"#
            }, chat: ("", ""))
        #expect(try delivery(of: channel, saying: "undo") == nil)
    }
}
