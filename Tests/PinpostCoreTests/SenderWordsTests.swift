import PinpostCore
import Testing

@Suite("What a sender is told of a reason")
struct SenderWordsTests {
    @Test("is the cause; of an admin's remedy only whom to ask")
    func remedies() {
        let reasons = [
            ("it is a logo", "it is a logo"),
            (
                "no way to fetch files is set up; `pinpost hook set TENANT h --token-file FILE` gives the hook the bot token",
                "no way to fetch files is set up; ask whoever runs Pinpost"
            ),
            ("one; two; set PINPOST_EGRESS_ALLOW=HOST:PORT; three", "one; two; ask whoever runs Pinpost"),
            ("`pinpost tenant set` gives one", "ask whoever runs Pinpost"),
        ]
        for (reason, words) in reasons {
            #expect(SenderWords.of(reason) == words)
            #expect(SenderWords.isForAdmin(reason) == (reason != words))
        }
    }

    @Test("names no command, flag or setting, whatever went wrong at Pinry", arguments: PinryError.Code.allCases)
    func pinry(_ code: PinryError.Code) {
        let words = SenderWords.of(PinryError(code).description)
        for mark in ["`", "--", "PINPOST", "client_max"] { #expect(!words.contains(mark), "\(words)") }
    }
}
