import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

@Suite("A chat's request with any value replaced by another kind", .timeLimit(.minutes(10)))
struct DamagedChatTests {
    private static let samples: [(provider: String, json: String)] = [
        (
            "telegram",
            #"{"update_id":1,"message":{"message_id":2,"date":3,"chat":{"id":7,"type":"private"},"from":{"id":7},"#
                + #""media_group_id":"9","caption":"/pin a.example see x #t","is_topic_message":true,"#
                + #""message_thread_id":5,"caption_entities":[{"type":"bot_command","offset":0,"length":4},"#
                + #"{"type":"url","offset":5,"length":9},{"type":"text_link","offset":15,"length":3,"url":"https://b.example"}],"#
                + #""photo":[{"file_id":"a","width":9,"height":9,"file_size":1},{"file_id":"b","width":10,"height":9}],"#
                + #""forward_origin":{"type":"channel","chat":{"username":"c"},"message_id":4}}}"#
        ),
        (
            "telegram",
            #"{"update_id":1,"callback_query":{"id":"q","from":{"id":7},"data":"undo:m","#
                + #""message":{"message_id":5,"chat":{"id":7}}}}"#
        ),
        (
            "slack",
            #"{"type":"event_callback","event_id":"E","authorizations":[{"is_bot":true,"user_id":"B"}],"event":"#
                + #"{"type":"message","channel":"C","ts":"1.1","thread_ts":"1.0","user":"U","text":"<https://a.example|b> &amp;","#
                + #""files":[{"id":"F","name":"a.png","mimetype":"image/png","size":1,"mode":"hosted","url_private":"https://files.slack.com/a"}]}}"#
        ),
        (
            "discord",
            #"{"type":2,"id":"1","application_id":"2","token":"t","guild_id":"3","channel_id":"4","member":{"user":{"id":"5"}},"#
                + #""data":{"name":"pin","type":3,"target_id":"9","resolved":{"messages":{"9":{"content":"c","attachments":"#
                + #"[{"filename":"a.png","content_type":"image/png","size":1,"url":"https://cdn.discordapp.com/a","description":"d"}],"#
                + #""embeds":[{"url":"https://e.example","image":{"url":"https://e.example/i.png"}}]}}}}}"#
        ),
    ]

    private static let replacements: [JSONTree] = [
        .null, .literal("true"), .literal("-1"), .literal("1e999"), .literal("9223372036854775807"), .text(""),
        .text(String(repeating: "\u{1F600}", count: 300)), .array([]), .object([:]), .array([.null, .array([])]),
    ]

    @Test("ends in a verdict or a described error, and what is kept can be read")
    func replaced() throws {
        var outcomes: Set<String> = []
        for (name, json) in Self.samples {
            let provider = try #require(Providers.named(name))
            let tree = try JSONTree(Array(json.utf8))
            #expect(try outcome(of: tree, from: provider) != "answer", "\(name): the sample itself is not taken")
            for damaged in Self.variants(of: tree) {
                do throws(HookError) {
                    outcomes.insert(try outcome(of: damaged, from: provider))
                } catch {
                    #expect(!error.detail.isEmpty)
                    outcomes.insert(error.code.rawValue)
                }
            }
        }
        #expect(outcomes.isSuperset(of: ["accept", "answer", "malformed"]), "\(outcomes)")
    }

    private func outcome(of tree: JSONTree, from provider: any Provider) throws(HookError) -> String {
        let bytes = Array(tree.json.utf8)
        let body = StoredDelivery(
            contentType: "application/json", hook: Hook.ID("h"), bytesLimit: provider.bodyLimit
        ) { () throws(StoreError) in BodyReader(bytes) }
        let settings = HookSettings(allowed: provider.name == "telegram" ? ["7"] : [])
        let request = ProviderRequest(
            method: "POST", query: [], headers: [], body: body,
            access: ProviderAccess(hook: Hook.ID("h"), settings: settings), receivedAt: Date(timeIntervalSince1970: 0),
            blobs: NoBlobs())
        switch try provider.receive(request) {
        case .accept(let delivery, _) where delivery.undo != nil: return "undo"
        case .accept:
            _ = try provider.read(body, into: Intake(blobs: NoBlobs(), limits: HookLimits()))
            return "accept"
        default: return "answer"
        }
    }

    /// Every place of the tree with each replacement, and without the member.
    private static func variants(of tree: JSONTree) -> [JSONTree] {
        var variants = replacements
        switch tree {
        case .object(let members):
            for (key, value) in members {
                var rest = members
                rest[key] = nil
                variants.append(.object(rest))
                for changed in Self.variants(of: value) {
                    rest[key] = changed
                    variants.append(.object(rest))
                }
            }
        case .array(let elements):
            for (index, value) in elements.enumerated() {
                for changed in Self.variants(of: value) {
                    var rest = elements
                    rest[index] = changed
                    variants.append(.array(rest))
                }
            }
        case .text, .literal, .null: break
        }
        return variants
    }
}
