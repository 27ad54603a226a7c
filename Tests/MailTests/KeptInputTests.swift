import CurlKit
import PinpostCore
import Testing

@testable import Mail

/// What the fuzz targets keep: the fewest inputs that reach every place they know of; see docs/fuzzing.md.
@Suite("The kept inputs of the fuzz targets", .timeLimit(.minutes(10)))
struct KeptInputTests {
    private static func inputs(_ target: String) throws -> [[UInt8]] {
        let folder = Samples.packageRoot + "/Fuzz/Corpus/" + target
        return try Samples.files(in: folder, suffix: "").map { try Samples.bytes(folder + "/" + $0) }
    }

    @Test("mails read alike whole and in pieces")
    func mails() throws { try check("mail", behind: []) }

    @Test("containers of Outlook read alike whole and in pieces")
    func containers() throws {
        let header = "Content-Type: application/ms-tnef; name=winmail.dat\r\n\r\n"
        try check("tnef", behind: Array(header.utf8))
    }

    private func check(_ target: String, behind start: [UInt8]) throws {
        let inputs = try Self.inputs(target)
        #expect(inputs.count > 50)
        for input in inputs {
            let mail = start + input
            #expect(outcome(mail, piece: .max) == outcome(mail, piece: mail.count % 61 + 1))
        }
    }

    private func outcome(_ mail: [UInt8], piece: Int) -> Result<MessageContent, MailError> {
        Result { () throws(MailError) in
            try MailReader().read(SlowReader(mail, piece: piece), into: MeasuringBlobStore())
        }
    }

    @Test("answers of mail servers read alike whole and in pieces")
    func answers() throws {
        let inputs = try Self.inputs("imap")
        #expect(inputs.count > 50)
        for input in inputs {
            #expect(answers(input, piece: .max) == answers(input, piece: input.count % 61 + 1))
        }
    }

    @Test("sessions of LMTP are answered alike whole and in pieces")
    func sessions() async throws {
        let inputs = try Self.inputs("lmtp")
        #expect(inputs.count > 50)
        var limits = LMTPLimits()
        (limits.messageBytes, limits.recipients, limits.boardsOfAddress) = (300, 4, 2)
        (limits.commandBytes, limits.commands, limits.mistakes) = (120, 30, 8)
        for input in inputs {
            let whole = await RecordedClient.answers(to: input, limits: limits)
            let cut = await RecordedClient.answers(to: input, piece: input.count % 61 + 1, limits: limits)
            #expect(whole == cut)
        }
    }

    /// All answers up to the first that is none.
    private func answers(_ bytes: [UInt8], piece: Int) -> [String] {
        let reader = IMAPReader(RecordedStream(bytes, piece: piece), limits: IMAPLimits())
        var parser = IMAPParser(reader, limits: IMAPLimits())
        var found: [String] = []
        do {
            while true {
                let answer = try parser.next { ArrivingMail(MeasuringBlobStore().makeWriter()) }
                found.append("\(answer)")
            }
        } catch {
            return found + ["\(error)"]
        }
    }
}
