import PinpostCore
import Testing

@testable import Hooks

@Suite("A post of Telegram")
struct TelegramPostTests {
    private func kept(_ update: String) async throws -> KeptPost {
        let trial = try ProviderTrial("telegram", secret: "s", token: "1:t", allowed: ["-100", "-200"])
        return try await trial.kept(SampleRequest(json: update).with("x-telegram-bot-api-secret-token", "s"))
    }

    @Test("that Telegram copies from a channel into the channel's group is the channel's post")
    func copied() async throws {
        let photo = #""photo":[{"file_id":"p","width":9,"height":9}]"#
        let post = try await kept(
            #"{"update_id":1,"channel_post":{"message_id":7,"chat":{"id":-100,"type":"channel"},\#(photo)}}"#)
        let origin = #""forward_origin":{"type":"channel","chat":{"id":-100,"type":"channel"},"message_id":7}"#
        func copy(_ members: String) async throws -> KeptPost {
            try await kept(
                #"{"update_id":2,"message":{"message_id":3,"chat":{"id":-200,"type":"supergroup"},\#(photo),\#(origin)\#(members)}}"#
            )
        }
        let copied = try await copy(#","is_automatic_forward":true"#)
        #expect(!Set(copied.delivery.otherKeys).isDisjoint(with: post.delivery.otherKeys))
        // What a person forwards is meant to be pinned, also once more.
        let forwarded = try await copy("")
        #expect(Set(forwarded.delivery.otherKeys).isDisjoint(with: post.delivery.otherKeys))
    }

    @Test("has a file for a picture where type or name say so")
    func documents() async throws {
        for (members, isPicture) in [
            (#""mime_type":"application/octet-stream","file_name":"IMG.HEIC""#, true),
            (#""mime_type":"image/jpeg""#, true), (#""mime_type":"application/pdf","file_name":"a.jpg""#, false),
            (#""mime_type":"application/octet-stream","file_name":"a.mov""#, false),
        ] {
            let post = try await kept(
                #"{"update_id":1,"message":{"message_id":3,"chat":{"id":-100,"type":"group"},"document":{"file_id":"d",\#(members)}}}"#
            )
            #expect(post.media.count == (isPicture ? 1 : 0), "\(members)")
        }
    }
}
