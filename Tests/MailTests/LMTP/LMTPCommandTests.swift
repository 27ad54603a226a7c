import Testing

@testable import Mail

@Suite("Commands of LMTP")
struct LMTPCommandTests {
    private func read(_ line: String) -> LMTPCommand { LMTPCommand(Array(line.utf8)) }

    @Test(
        "a parameter without a name is a mistake, never the end",
        arguments: ["=", "==", "=x", "SIZE=1 =", "= SIZE=1", "BODY=7BIT =="])
    func nameless(_ words: String) {
        #expect(read("MAIL FROM:<a@b.org> \(words)") == .wrong(.badSyntax))
    }

    @Test(
        "other parameters of a recipient or a sender are told apart from mistakes", arguments: ["X", "X=", "RET=FULL"])
    func unknown(_ word: String) {
        #expect(read("MAIL FROM:<a@b.org> \(word)") == .wrong(.unknownParameter))
        #expect(read("RCPT TO:<a@b.org> \(word)") == .wrong(.unknownParameter))
        #expect(read("RCPT TO:<a@b.org> =") == .wrong(.unknownParameter))
    }

    @Test("a size has up to twenty digits, and none is too large to be understood")
    func sizes() {
        func size(_ text: String) -> Int? {
            guard case .mail(_, let parameters) = read("MAIL FROM:<a@b.org> SIZE=\(text)") else { return nil }
            return parameters.size
        }
        #expect(size("0") == 0)
        #expect(size("00000000000000000300") == 300)
        #expect(size("9223372036854775807") == .max)
        #expect(size("9223372036854775808") == .max)
        #expect(size("99999999999999999999") == .max)
        for text in ["", "-1", "+1", "x", "٣", "1=", "100000000000000000000"] {
            #expect(read("MAIL FROM:<a@b.org> SIZE=\(text)") == .wrong(.badSyntax), "\(text)")
        }
        #expect(read("MAIL FROM:<a@b.org> SIZE") == .wrong(.unknownParameter))
    }

    @Test("what a client may say is read whatever its case")
    func plain() {
        #expect(
            read("mail from:<Ada@b.org> size=7 body=8bitmime smtputf8")
                == .mail(
                    from: "Ada@b.org", .init(size: 7, isUTF8: true)))
        #expect(read("MAIL FROM:<>") == .mail(from: "", .init()))
        #expect(read("rcpt to: <@x,@y:pins+a@b.org>") == .recipient("pins+a@b.org"))
    }
}
