import PinpostCore
import PinpostTesting
import Testing

@testable import Mail

@Suite("Text and links")
struct TextTests {
    @Test(
        "links are found as written, without what stands around them",
        arguments: [
            ("see http://a.b/c.", ["http://a.b/c"]),
            ("(https://a.b/c) [https://a.b/d] <https://a.b/e>", ["https://a.b/c", "https://a.b/d", "https://a.b/e"]),
            ("https://a.b/x_(y) and (https://a.b/x_(y)).", ["https://a.b/x_(y)", "https://a.b/x_(y)"]),
            ("\"https://a.b/c\", 'https://a.b/d'", ["https://a.b/c", "https://a.b/d"]),
            ("<https://a.b/one\n  two>", ["https://a.b/onetwo"]),
            ("<https://a.b/one two>", ["https://a.b/one"]),
            ("<https://a.b/never", ["https://a.b/never"]),
            ("HTTP://A.B/C", ["HTTP://A.B/C"]),
            ("https://bücher.example/ä", ["https://bücher.example/ä"]),
            ("見て（https://a.b/c）。https://a.b/d、", ["https://a.b/c", "https://a.b/d"]),
            ("https:// http:// xhttp://a.b ftp://a.b", []),
            ("https://a.b/?q=1&r=(direct)|x", ["https://a.b/?q=1&r=(direct)|x"]),
            ("https://a.b/c*", ["https://a.b/c"]),
            ("https://a.b/c>d", ["https://a.b/c"]),
            ("", []),
        ])
    func links(text: String, expected: [String]) {
        #expect(LinkFinder.links(in: text).map(\.url) == expected)
    }

    @Test("a link knows its line")
    func lines() {
        let lines = TextLine.lines(ofPlain: "a\nhttps://a.b/1\n<https://a.b/\n2>\nhttps://a.b/3")
        #expect(lines.map(\.links) == [[], ["https://a.b/1"], ["https://a.b/2"], [], ["https://a.b/3"]])
    }

    @Test(
        "text full of starts of links takes linear time",
        arguments: ["http://", "<http://x ", "<http://x\n", "http://a.b/("])
    func storm(piece: String) {
        let text = { String(repeating: piece, count: $0 / piece.utf8.count) }
        #expect(growsLinearly(to: 1 << 18, text) { _ = LinkFinder.links(in: $0) })
    }

    @Test(
        "wrappers of mail filters are taken off",
        arguments: [
            (
                "https://x.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.b%2Fc%3Fd%3D1&data=2",
                "https://a.b/c?d=1"
            ),
            ("https://urldefense.com/v3/__https://a.b/c__;!!abc$", "https://a.b/c"),
            ("https://urldefense.proofpoint.com/v2/url?u=http-3A__a.b_c&d=x", "http://a.b/c"),
            ("https://www.google.com/url?sa=t&q=https://a.b/c&x=y", "https://a.b/c"),
            ("https://www.google.com/search?q=https://a.b/c", "https://www.google.com/search?q=https://a.b/c"),
            ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.b%2F", "https://a.b/"),
            (
                "https://x.safelinks.protection.outlook.com/?url=javascript%3Aalert",
                "https://x.safelinks.protection.outlook.com/?url=javascript%3Aalert"
            ),
            ("https://a.b/?url=https://c.d/", "https://a.b/?url=https://c.d/"),
        ])
    func unwrapping(link: String, expected: String) {
        #expect(LinkUnwrapper.unwrapped(link) == expected)
    }

    @Test(
        "flowed lines are joined",
        arguments: [
            ("a \nb\nc", false, "a b\nc"), ("https://a.b/ \nc", true, "https://a.b/c"),
            ("> q \n> r\nme", false, "> q r\nme"), ("> q \nme", false, "> q \nme"), (" > stuffed", false, "> stuffed"),
            ("a \n-- \nsig", false, "a \n-- \nsig"), ("", false, ""),
        ])
    func flowed(text: String, deletesSpace: Bool, expected: String) {
        #expect(FlowedText.unfolded(text, deletesSpace: deletesSpace) == expected)
    }

    @Test(
        "HTML becomes lines of text",
        arguments: [
            ("<p>a</p><p>b</p>", ["a", "", "b"]), ("<div>a</div><div>b</div>", ["a", "b"]),
            ("<div><br></div>a<br><br>b", ["a", "", "b"]), ("a<br>b<BR/>c", ["a", "b", "c"]),
            ("<td>a</td><td>b</td>", ["a b"]),
            ("a &amp; b &eacute;&#233;&#xE9; &unknown; &copy=1", ["a & b ééé &unknown; &copy=1"]),
            ("a<!-- <p>no</p> -->b<style>p{}</style><script>x<y</script>c", ["abc"]), ("  a \n  b  ", ["a b"]),
            ("<pre>a\nb</pre>", ["a", "b"]), ("1 < 2 <3", ["1 < 2 <3"]), ("<title>t</title>x", ["x"]), ("", []),
            ("a<!-- never closed", ["a"]), ("<a href='never", []),
        ])
    func html(page: String, lines: [String]) {
        #expect(HTMLText.lines(of: page).map(\.text) == lines)
    }

    @Test("HTML gives its links in order, those in labels and the line breaks in them apart, and its pictures")
    func htmlLinks() {
        let page = """
            <a href="https://a.b/?x=1&amp;y=2">https://a.b/label</a> https://a.b/bare <a href=mailto:a@b.c>m</a>\
            <A HREF='https://a.b/\n3'>x</A><img src="cid:one@x"><a name="y">https://a.b/4</a><area href="https://a.b/5">
            """
        let lines = HTMLText.lines(of: page)
        #expect(lines.flatMap(\.links) == ["https://a.b/?x=1&y=2", "https://a.b/bare", "https://a.b/3"])
        #expect(
            lines.flatMap(\.writtenLinks)
                == [
                    "https://a.b/?x=1&y=2", "https://a.b/label", "https://a.b/bare", "https://a.b/\n3", "https://a.b/4",
                ])
        #expect(lines.flatMap(\.pictures) == ["one@x"])
    }

    struct Mail: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let own: String
        var isForward = false
        var forwarded: [String] = []
    }

    static let mails: [Mail] = [
        Mail(testDescription: "quotes", text: "mine\n> theirs\n >also\nmine again", own: "mine\nmine again"),
        Mail(testDescription: "a signature", text: "mine\n-- \nAda\nhttps://a.b/", own: "mine"),
        Mail(
            testDescription: "an attribution", text: "mine\n\nOn Mon, 2 Mar 2026, Bob wrote:\n> theirs", own: "mine\n"),
        Mail(
            testDescription: "an attribution over two lines",
            text: "mine\nOn Mon, 2 Mar 2026 at 9:00, Bob\n<b@c.d> wrote:\ntheirs", own: "mine"),
        Mail(
            testDescription: "an unknown attribution", text: "mine\n\n2026-03-02 ma Bob skriver:\n\n> theirs",
            own: "mine\n\n"),
        Mail(
            testDescription: "no attribution", text: "On second thought\nI wrote: yes",
            own: "On second thought\nI wrote: yes"),
        Mail(
            testDescription: "an Outlook reply", text: "mine\n\nFrom: Bob\nSent: Monday\nTo: Ada\nSubject: x\n\ntheirs",
            own: "mine\n"),
        Mail(
            testDescription: "an original message", text: "mine\n-----Original Message-----\nFrom: Bob\n\ntheirs",
            own: "mine"),
        Mail(
            testDescription: "a forwarded message",
            text:
                "mine\n---------- Forwarded message ---------\nFrom: Bob\nTo: Ada\n\nhttps://a.b/c\n> old https://a.b/d",
            own: "mine", forwarded: ["https://a.b/c"]),
        Mail(
            testDescription: "a forward by Outlook",
            text: "mine\nVon: Bob\nGesendet: Montag\nAn: Ada\nBetreff: x\n\nhttps://a.b/c",
            own: "mine", isForward: true, forwarded: ["https://a.b/c"]),
        Mail(testDescription: "a phone's footer", text: "mine\n\nSent from my iPhone", own: "mine\n"),
        Mail(
            testDescription: "a list's footer",
            text: "mine\n_______________________________________________\nlist mailing list\nhttps://a.b/", own: "mine"),
        Mail(
            testDescription: "marks of pictures",
            text: "Nice [image: view.jpg] view\n[cid:a@b]\n<image001.png>\n\u{FFFC}\nend [1]",
            own: "Nice  view\nend [1]"),
        Mail(testDescription: "nothing", text: "", own: ""),
    ]

    @Test("the sender's own words are told from the rest", arguments: mails)
    func ownText(_ mail: Mail) {
        let text = OwnText(TextLine.lines(ofPlain: mail.text), isForward: mail.isForward)
        #expect(text.text == mail.own)
        #expect(text.links(of: .forwarded) == mail.forwarded)
    }
}
