import Testing

@testable import Mail

@Suite("Sessions of LMTP, whatever is said in them", .timeLimit(.minutes(1)))
struct LMTPSessionTests {
    /// What is answered behind the greeting.
    private func answers(_ lines: [String], piece: Int = .max) async -> [String] {
        let text = (["LHLO x"] + lines).map { $0 + "\r\n" }.joined()
        let all = await RecordedClient.answers(to: Array(text.utf8), piece: piece)
        return Array(all.drop { !$0.hasPrefix("250 SIZE") }.dropFirst())
    }

    @Test("a parameter that is nothing but a sign is refused, and the session goes on")
    func nameless() async {
        let heard = await answers(["MAIL FROM:<a@b.org> =", "NOOP", "MAIL FROM:<a@b.org>", "QUIT"])
        #expect(heard == ["501 5.5.4 Syntax error", "250 2.0.0 Ok", "250 2.1.0 Ok", "221 2.0.0 Bye"])
    }

    @Test("a mail that is announced larger than any number is too large, not misspelt")
    func huge() async {
        let heard = await answers(["MAIL FROM:<a@b.org> SIZE=99999999999999999999", "QUIT"])
        #expect(heard == ["552 5.3.4 Message too large", "221 2.0.0 Bye"])
    }

    @Test("a mail is answered once for each recipient that was taken", arguments: [Int.max, 7, 1])
    func whole(_ piece: Int) async {
        let commands = [
            "MAIL FROM:<>", "RCPT TO:<pins+abc@a.example>", "RCPT TO:<pins+abc@other.example>",
            "RCPT TO:<pins@a.example>", "DATA", "Subject: x", "", "..x", ".", "QUIT",
        ]
        let codes = await answers(commands, piece: piece).map { $0.prefix(3) }
        #expect(codes == ["250", "250", "550", "250", "354", "250", "250", "221"])
    }
}
