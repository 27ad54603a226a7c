import Testing

@testable import PinpostCore

@Suite("Links of pages")
struct PageLinkTests {
    @Test(
        "what follows people around goes, the rest stays to the letter",
        arguments: [
            ("https://a.example/p?utm_source=x&id=7&fbclid=1#top", "https://a.example/p?id=7#top"),
            ("https://a.example/p?UTM_Medium=x", "https://a.example/p"),
            ("https://a.example/p?b=&&c", "https://a.example/p?b=&&c"),
            ("https://a.example/p#:~:text=word", "https://a.example/p"),
            ("https://a.example/p#utm_source=rss", "https://a.example/p"),
            ("https://app.example/#/board/7?x=1", "https://app.example/#/board/7?x=1"),
            ("https://www.youtube.com/watch?v=abc&si=xyz&t=42", "https://www.youtube.com/watch?v=abc&t=42"),
            ("https://youtu.be/abc?si=xyz", "https://youtu.be/abc"),
            ("https://x.com/a/status/1?s=20&t=q", "https://x.com/a/status/1"),
            ("https://shop.example/?s=20&t=q", "https://shop.example/?s=20&t=q"),
            ("https://www.reddit.com/r/a/?share_id=1&rdt=2", "https://www.reddit.com/r/a/"),
            ("https://open.spotify.com/track/1?si=2", "https://open.spotify.com/track/1"),
            ("https://notyoutube.com/?si=2", "https://notyoutube.com/?si=2"),
            ("https://l.facebook.com/l.php?u=https%3A%2F%2Fa.example%2Fp%3Ffbclid%3D1&h=x", "https://a.example/p"),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2F%3Fq%3D1&data=x",
                "https://a.example/?q=1"
            ),
            ("https://urldefense.com/v3/__https://a.example/x__;!!abc$", "https://a.example/x"),
            ("https://www.google.com/amp/s/a.example/amp/story.html", "https://a.example/amp/story.html"),
            ("https://a-example.cdn.ampproject.org/c/s/a.example/story", "https://a.example/story"),
            ("https://www.google.com/search?q=https://a.example", "https://www.google.com/search?q=https://a.example"),
            (
                "https://l.facebook.com/l.php?u=javascript:alert(1)",
                "https://l.facebook.com/l.php?u=javascript:alert(1)"
            ),
            ("not a link", "not a link"),
        ])
    func cleaned(_ written: String, _ expected: String) { #expect(PageLink.cleaned(written) == expected) }

    @Test(
        "a host is shown in its own script, but never in a mixture",
        arguments: [
            ("www.example.com", "example.com"), ("example.com:8080", "example.com"), ("www.com", "www.com"),
            ("xn--bcher-kva.example", "bücher.example"), ("xn--wgv71a119e.jp", "日本語.jp"),
            ("xn--e1afmkfd.xn--p1ai", "пример.рф"), ("xn--mgbcd4a2b0d2b.com", "العربية.com"),
            // Latin `pypl` with a Cyrillic `а`.
            ("xn--pypl-53dc.com", "xn--pypl-53dc.com"), ("pаypal.com", "xn--pypal-4ve.com"),
            ("xn--", "xn--"), ("xn--a-\u{7F}.com", "xn--a-\u{7F}.com"), ("[2606:4700::1]", "[2606:4700::1]"),
            ("ひらがな漢字.jp", "ひらがな漢字.jp"),
        ])
    func host(_ written: String, _ expected: String) { #expect(HostName.shown(written) == expected) }

    @Test("punycode goes back and forth", arguments: ["bücher", "日本語", "пример", "العربية", "münchen-ost", "ελλάδα"])
    func punycode(_ label: String) {
        let code = Punycode.encoded(label: label)
        #expect(code.hasPrefix("xn--") && Punycode.decoded(label: code) == label)
    }
}
