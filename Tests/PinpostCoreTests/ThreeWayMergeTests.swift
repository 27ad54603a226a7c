import PinpostCore
import Testing

@Suite("Two changes of one record")
struct ThreeWayMergeTests {
    private static func fields(of value: Any) -> [String] { Mirror(reflecting: value).children.map { "\($0.value)" } }

    @Test("every setting of a mailbox is taken over where it was changed, and no other")
    func mailbox() {
        let old = MailboxSettings(host: "mail.example", username: "ada")
        var new = MailboxSettings(host: "imap.example", port: 144, encryption: .starttls, username: "bob")
        new.oauth = OAuthClient(tokenEndpoint: "https://o.example/token", clientID: "c")
        new.folder = "Pins"
        new.recipientHeaders = ["To"]
        new.afterwards = .delete
        new.failureFolder = "Failed"
        new.newOnly = true
        new.trustedAuthServers = ["mx.example"]
        new.caPEM = "pem"
        new.pin = "sha256//x"
        new.proxy = "http://proxy.example:1"
        // A setting that is added later has to be here as well.
        for (before, after) in zip(Self.fields(of: old), Self.fields(of: new)) { #expect(before != after) }
        #expect(new.changed(from: old, onto: old) == new)
        #expect(old.changed(from: old, onto: new) == new)
    }

    @Test("every setting of a server is taken over where it was changed, and no other")
    func server() {
        let old = Server(id: Identifier("s1"), baseURL: "https://pinry.example")
        var new = old
        new.allowsPrivateNetwork = true
        new.caPEM = "pem"
        new.maxInFlight = 2
        new.uploadLimit = 400_000
        #expect(new.changed(from: old, onto: old) == new)
        #expect(old.changed(from: old, onto: new) == new)
    }
}
