import PinpostCore
import Testing

@Suite("Mail addresses that carry a token")
struct MailAddressingTests {
    let token = "abcdefghijklmnopqrstuvwx2345"

    private func addressing() throws -> MailAddressing {
        try #require(MailAddressing(mailAddress: "Pins@Example.org"))
    }

    @Test("a plus address and a catch-all address give token and board, whatever their case")
    func recipients() throws {
        let addressing = try addressing()
        let plain = MailAddressing.Recipient(token: token, board: nil)
        let trips = MailAddressing.Recipient(token: token, board: "my-trips")
        #expect(addressing.recipient("pins+\(token)@example.org") == plain)
        #expect(addressing.recipient("<PINS+\(token.uppercased())@EXAMPLE.ORG>") == plain)
        #expect(addressing.recipient("\(token)@example.org.") == plain)
        #expect(addressing.recipient("pins+\(token).My_Trips@example.org") == trips)
        #expect(addressing.recipient("\(token).my-trips@example.org") == trips)
        #expect(addressing.recipient("pins+\(token).@example.org") == plain)
    }

    @Test(
        "what is not ours is nobody's",
        arguments: [
            "pins@example.org", "info@example.org", "pins+@example.org", "pins+a b@example.org", "pins+tok@example.com",
            "pins+t~k@example.org", "a@b@example.org", "example.org", "", "@example.org", "pins+tok@sub.example.org",
            "pins+tok\r\nRCPT@example.org", "other+tok@example.org",
        ])
    func strangers(_ address: String) throws {
        #expect(try addressing().recipient(address) == nil)
    }

    @Test(
        "a domain beyond ASCII is the same in each of its spellings",
        arguments: [
            "pins@bücher.example", "pins@BÜCHER.example", "pins@bu\u{308}cher.example", "pins@xn--bcher-kva.example",
        ])
    func spellings(_ mailbox: String) throws {
        let addressing = try #require(MailAddressing(mailAddress: mailbox))
        for domain in [
            "bücher.example", "Bücher.Example", "bu\u{308}cher.example", "xn--bcher-kva.example",
            "XN--BCHER-KVA.example",
        ] {
            #expect(addressing.recipient("pins+\(token)@\(domain)")?.token == token, "\(domain)")
            #expect(addressing.isMailbox("pins@\(domain)"), "\(domain)")
        }
        for domain in ["bucher.example", "xn--bcher-kvb.example", "xn--bucher-.example", "buecher.example"] {
            #expect(addressing.recipient("pins+\(token)@\(domain)") == nil, "\(domain)")
        }
        #expect(addressing.recipient(addressing.address(for: token))?.token == token)
        // A name that only pretends to be one of those.
        let plain = try #require(MailAddressing(mailAddress: "pins@abc.example"))
        #expect(plain.recipient("pins+\(token)@xn--abc-.example") == nil)
    }

    @Test("an address that is made can be read")
    func roundTrip() throws {
        let addressing = try addressing()
        #expect(addressing.address(for: token) == "pins+\(token)@example.org")
        let address = addressing.address(for: token, board: "My Trips!")
        #expect(address == "pins+\(token).my-trips@example.org")
        #expect(addressing.recipient(address)?.board == "my-trips")
        #expect(!addressing.redacted.contains(token))
    }

    @Test(
        "only a plain address can be the mailbox",
        arguments: ["pins", "pins+x@example.org", "a@b c.org", "@x.org", "a@b"])
    func refused(_ address: String) {
        #expect(MailAddressing(mailAddress: address) == nil)
    }
}
