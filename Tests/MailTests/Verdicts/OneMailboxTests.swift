import Testing

@testable import Mail

@Suite("The one address of From")
struct OneMailboxTests {
    @Test(
        "forms with exactly one address",
        arguments: [
            ("Ada@Example.ORG", "ada@example.org"), ("<ada@example.org>", "ada@example.org"),
            ("Ada Lovelace <ada@example.org>", "ada@example.org"),
            ("\"Lovelace, Ada\" <ada@example.org>", "ada@example.org"),
            ("John Q. Public <j@example.org> (home)", "j@example.org"), ("(x@y.z) ada@example.org", "ada@example.org"),
            ("\"victim@bank.example\" <evil@example.net>", "evil@example.net"),
            ("=?utf-8?q?victim=40bank.example?= <evil@example.net>", "evil@example.net"),
            ("Ünï <ada@bücher.example>", "ada@xn--bcher-kva.example"), ("\"a b\"@example.org", "a b@example.org"),
        ])
    func good(_ field: String, _ address: String) { #expect(OneMailbox.address(in: Array(field.utf8)) == address) }

    @Test(
        "anything that two programs could read in two ways",
        arguments: [
            "", "Ada", "a@example.org, b@example.org", "friends: a@example.org;", "undisclosed:;",
            "victim@bank.example <evil@example.net>", "<a@example.org> <b@example.org>", "a@example.org b@example.org",
            "<a@example.org", "\"a <b@example.org>", "a@b@example.org", "<@x,@y:a@example.org>", "a@[192.0.2.1]",
            "a..b@example.org", "a@example.org (", "a@localhost", "<>", "a@.example.org", "a@example.org;",
        ])
    func bad(_ field: String) { #expect(OneMailbox.address(in: Array(field.utf8)) == nil) }
}
