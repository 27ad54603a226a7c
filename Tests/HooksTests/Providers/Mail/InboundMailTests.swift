import Testing

@testable import Hooks

@Suite("A mail that was taken apart")
struct InboundMailTests {
    @Test("gives its sender's own words, and what he passes on")
    func ownWords() {
        let text = """
            Look at this
            #sea

            On Monday, 1 June 2026, Bob <bob@x> wrote:
            > old https://old.example/
            >> older

            Sent from my iPhone
            """
        #expect(OwnWords(of: text).own == "Look at this\n#sea")
        #expect(OwnWords(of: "Hi\n--\nAda\nhttps://firm.example/").own == "Hi")
        let forward = OwnWords(
            of: "see\n\n---------- Forwarded message ---------\nFrom: B\n\nhttps://f.example/\n-- \nB")
        #expect(forward.own == "see")
        #expect(forward.passedOn.contains("https://f.example/") && !forward.passedOn.contains("\nB"))
        #expect(OwnWords(of: "a > b\nprice: 7:\nok").own == "a > b\nprice: 7:\nok")
        #expect(OwnWords(of: "").own == "")
    }

    @Test(
        "has its subject decoded",
        arguments: [
            ("=?UTF-8?Q?caf=C3=A9?=", "café"), ("=?utf-8?b?w6Q=?= x", "ä x"), ("=?ISO-8859-1?Q?a=E4_b?=", "aä b"),
            ("=?UTF-8?Q?a?= =?UTF-8?Q?b?=", "ab"), ("=?UTF-8?Q?a?= c =?UTF-8?Q?b?=", "a c b"), ("a =? b", "a =? b"),
            ("=?UTF-8?X?a?=", "=?UTF-8?X?a?="), ("=?UTF-8?B?!?=", "=?UTF-8?B?!?="), ("=?UTF-8*en?Q?a?=", "a"),
            ("=?UTF-8?Q?a=0Ab?=", "a b"), ("plain", "plain"), ("=?a?=", "=?a?="),
        ])
    func encodedWords(_ text: String, _ decoded: String) { #expect(EncodedWords.decode(text) == decoded) }

    @Test("shows its links in HTML, none twice, and nothing else")
    func links() {
        let html = """
            <a href="https://a.example/?x=1&amp;y">a</a><img src="https://t.example/"><A title='>' HREF = 'https://b.example/'>
            <abbr href="https://no.example/"><a data-href="https://no.example/"><a href=javascript:alert(1)>
            <a href="mailto:x@y"><a href="https://a.example/?x=1&amp;y"><a href=https://c.example/ class=x><a href="https://d.example/
            """
        #expect(
            HTMLLinks.links(in: html) == ["https://a.example/?x=1&y", "https://c.example/"])
        #expect(HTMLLinks.links(in: String(repeating: "<a ", count: 200_000)).isEmpty)
        #expect(HTMLLinks.links(in: String(repeating: "<a>", count: 200_000)).isEmpty)
    }

    @Test("has fields in its header that are found unfolded")
    func header() {
        let header = RawHeader(Array("From: a\r\nMESSAGE-ID:\r\n\t<x@y>\r\n\r\nMessage-ID: <no>\r\n".utf8))
        #expect(header.value(of: "Message-ID") == "<x@y>")
        #expect(header.value(of: "From") == "a")
        #expect(header.value(of: "Subject") == nil)
        #expect(RawHeader([]).value(of: "From") == nil && !RawHeader([]).isMail)
    }

    @Test("the first address with a tag picks the board")
    func boards() {
        for (addresses, board) in [
            ("pins+trips@in.example", "trips"), ("bob@in.example, pins+Trips@in.example", "trips"),
            ("pins+trips@in.example,bob@in.example", "trips"), ("bob@in.example", nil), ("", nil), ("+,@", nil),
            ("a+@in.example, b+x@in.example", "x"),
        ] {
            #expect(PlusAddress.board(addresses) == board, "\(addresses)")
        }
    }
}
