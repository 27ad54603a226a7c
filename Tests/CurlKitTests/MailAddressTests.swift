import CurlKit
import Testing

@Suite("Addresses that may go into SMTP")
struct MailAddressTests {
    @Test(
        "plain addresses are taken",
        arguments: ["ada@example.org", "a.b+c@mail.example.org", "o'hara@xn--bcher-kva.example", "x@a.b"])
    func plain(_ text: String) {
        #expect(MailAddress(text)?.description == text)
    }

    @Test("the domain does not depend on case")
    func domainCase() {
        #expect(MailAddress("Ada@Example.ORG")?.description == "Ada@example.org")
    }

    @Test(
        "everything else is refused",
        arguments: [
            "", "@", "ada", "ada@", "@example.org", "ada@localhost", "ada@[127.0.0.1]", "ada@127.0.0.1",
            "ada@example..org", "ada@.example.org", "ada@example.org.", ".ada@example.org", "a..b@example.org",
            "\"ada\"@example.org", "a b@example.org", "ada@exam ple.org",
            "ada@example.org>\r\nRCPT TO:<eve@evil.example",
            "ada@example.org\n", "ada\r@example.org", "<ada@example.org>", "ada@example.org> NOTIFY=NEVER",
            "ada@example.org,eve@evil.example", "ada@eve@example.org", "ädä@example.org", "ada@exämple.org",
            "ada@-example.org", "ada@example-.org", "ada\0@example.org", "a@b.\(String(repeating: "c", count: 64))",
            "\(String(repeating: "a", count: 65))@example.org",
        ])
    func refused(_ text: String) {
        #expect(MailAddress(text) == nil)
    }
}
