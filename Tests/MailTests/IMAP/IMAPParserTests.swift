import CurlKit
import PinpostCore
import Testing

@testable import Mail

@Suite("IMAP answers")
struct IMAPParserTests {
    private static let body = Array("From: a@x\r\nSubject: s\r\n\r\np1 OK done) {5}\r\n".utf8)

    private func parser(
        _ text: String, piece: Int = .max, limits: IMAPLimits = IMAPLimits()
    ) -> IMAPParser {
        IMAPParser(IMAPReader(RecordedStream(Array(text.utf8), piece: piece), limits: limits), limits: limits)
    }

    private func makeMail() -> ArrivingMail { ArrivingMail(MeasuringBlobStore().makeWriter()) }

    /// The item of a FETCH with its body.
    private func fetched(_ item: String, piece: Int = .max) throws -> FetchedItem {
        var parser = parser("* 1 FETCH (\(item))\r\nx OK\r\n", piece: piece)
        guard case .fetched(let found) = try parser.next(storing: makeMail) else {
            throw IMAPError(.broken, "no FETCH")
        }
        guard case .completed("x", _) = try parser.next(storing: nil) else { throw IMAPError(.broken, "no end") }
        return found
    }

    @Test(
        "a body comes whole in every form, wherever the pieces are cut",
        arguments: ["{%n}\r\n", "{%n+}\r\n", "~{%n}\r\n"], [1, 2, 3, 7, .max])
    func bodies(_ form: String, _ piece: Int) throws {
        let text = String(decoding: Self.body, as: UTF8.self)
        let literal = form.replacing("%n", with: "\(Self.body.count)") + text
        for item in [
            "UID 7 BODY[] \(literal)", "BODY[] \(literal) UID 7", "FLAGS (k{x \\Seen) UID 7 BODY[] \(literal)",
            "UID 7 X-GM-LABELS (\"a b\" {3}\r\nx)y) BODY[] \(literal) MODSEQ (12)",
        ] {
            let found = try fetched(item, piece: piece)
            #expect(found.uid == 7 && found.mail?.count == Self.body.count)
        }
    }

    @Test("a quoted body is a body, NIL is none, and an empty one is empty")
    func otherBodies() throws {
        #expect(try fetched("UID 1 BODY[] \"From: \\\"a\\\"\"").mail?.count == 9)
        #expect(try fetched("UID 1 BODY[] NIL").mail == nil)
        #expect(try fetched("UID 1 BODY[] {0}\r\n").mail?.count == 0)
        #expect(try fetched("UID 1 RFC822.SIZE 12345 BODY[HEADER.FIELDS (TO CC)] {2}\r\nab").size == 12_345)
        #expect(try fetched("UID 1 RFC822.SIZE 18446744073709551615").size == .max)
        #expect(try fetched("UID 1 RFC822.SIZE -9223372036854775808").size == nil)
    }

    @Test("what may come at any time is told apart")
    func others() throws {
        var parser = parser(
            """
            * 23 EXISTS\r\n* 3 RECENT\r\n* 2 EXPUNGE\r\n* FLAGS (\\Seen $x)\r\n* LIST (\\Marked) "/" {5}\r\nINBOX\r\n\
            * SEARCH 4 9 (MODSEQ 5)\r\n* SEARCH\r\n* OK [UIDVALIDITY 17] yes\r\n+ idling\r\n* BYE [UNAVAILABLE] later\r\n\
            a NO [TRYCREATE] no such folder\r\n
            """)
        func next() throws -> IMAPResponse { try parser.next(storing: nil) }
        guard case .exists(23) = try next(), case .other = try next(), case .expunged = try next(),
            case .other = try next(), case .other = try next(), case .search([4, 9]) = try next(),
            case .search([]) = try next(), case .status(let status) = try next(), case .goAhead = try next(),
            case .status(let bye) = try next(), case .completed("a", let end) = try next()
        else {
            Issue.record("an answer was read as another one")
            return
        }
        #expect(status.code == ["UIDVALIDITY", "17"] && status.words == "yes")
        #expect(bye.condition == .bye && bye.error.code == .closed)
        #expect(end.error.responseCode == "TRYCREATE" && end.error.code == .refused)
    }

    @Test(
        "what is no IMAP, or over a limit, is an error and no crash",
        arguments: [
            "* 1 FETCH (BODY[] {99999999999999}\r\n", "* 1 FETCH (BODY[] {60000000}\r\n", "* 1 FETCH (BODY[] {}\r\n",
            "* 1 FETCH UID 1\r\n", "* 1 FETCH (UID 1\r\n", "* 1 FETCH (X \"a\r\n\")\r\n", "* SEARCH x\r\n",
            "a MAYBE\r\n",
            "\r\n", "*\r\n", "* 1 FETCH (UID 1) x\r\n", "* 1 FETCH (E \(String(repeating: "(", count: 100)))\r\n",
        ])
    func hostile(_ text: String) {
        var parser = parser(text)
        #expect(throws: IMAPError.self) { try parser.next(storing: makeMail) }
    }

    @Test("a line without end and answers without end are given up")
    func endless() {
        var limits = IMAPLimits()
        limits.tokenBytes = 1_000
        limits.answerBytes = 3_000
        var line = parser("* OK \(String(repeating: "x", count: 2_000))\r\n", limits: limits)
        #expect(throws: IMAPError.self) { try line.next(storing: nil) }
        var many = parser(String(repeating: "* 1 EXISTS\r\n", count: 1_000), limits: limits)
        #expect(throws: IMAPError.self) { for _ in 0..<1_000 { _ = try many.next(storing: nil) } }
    }

    @Test("a session that is cut at any byte gives an error, or the whole mail")
    func cuts() throws {
        let text = Array("* 1 FETCH (UID 1 BODY[] {\(Self.body.count)}\r\n".utf8) + Self.body + Array(")\r\n".utf8)
        for length in 0..<text.count {
            let limits = IMAPLimits()
            var parser = IMAPParser(
                IMAPReader(RecordedStream(Array(text[..<length])), limits: limits), limits: limits)
            #expect(throws: IMAPError.self) { try parser.next(storing: makeMail) }
        }
    }

    @Test("random bytes never crash the parser")
    func noise() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("* +{}()[]\"\\~0129aBODY[] FETCH UID OK SEARCH\r\n".utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<60).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            let limits = IMAPLimits()
            var parser = IMAPParser(
                IMAPReader(RecordedStream(Array("* ".utf8) + bytes), limits: limits), limits: limits)
            for _ in 0..<20 where (try? parser.next(storing: makeMail)) == nil { break }
        }
    }
}

@Suite("IMAP words")
struct IMAPWordsTests {
    @Test(
        "a command that a busy server refuses is told from one that it cannot do",
        arguments: [
            ("[THROTTLED] Request is throttled", IMAPError.Code.busy), ("[OVERQUOTA] bandwidth", .busy),
            ("[LIMIT] slow down", .busy), ("[INUSE] locked", .busy), ("[UNAVAILABLE] x", .busy),
            ("Server Unavailable. 15", .busy), ("[ALERT] Too many commands", .busy),
            ("[SERVERBUG] Server error - please try again later", .refused), ("cannot read it", .refused),
            ("[NOPERM] temporarily forbidden", .refused), ("[TRYCREATE] no such folder", .refused),
        ])
    func busyCommands(_ words: String, _ code: IMAPError.Code) {
        #expect(IMAPStatus(.no, words).error.code == code)
    }

    @Test(
        "dates of header fields and of answers are read",
        arguments: [
            (" 1-Dec-2026 07:30:00 +0100", 1_796_106_600 as Int?), ("Tue, 1 Dec 2026 06:30:00 GMT", 1_796_106_600),
            ("29 Feb 2024 00:00 -0130", 1_709_170_200), ("1 Jan 1970 00:00:00 +0000", 0), ("", nil),
            ("31-Foo-2026 00:00:00 +0000", nil), ("yesterday", nil), ("1-2-3 9999999999999999999:0 x", nil),
        ])
    func dates(_ text: String, _ seconds: Int?) {
        #expect(MailDate.seconds(text) == seconds)
    }

    @Test("looks that follow each other at once are few, and then come one in each pause")
    func pace() {
        var now = ContinuousClock.now
        var pace = LookPace(atOnce: 3, pause: .seconds(1), now: now)
        #expect((0..<3).map { _ in pace.delay(at: now) } == [.zero, .zero, .zero])
        for _ in 0..<5 {
            let delay = pace.delay(at: now)
            #expect(delay == .seconds(1))
            now = now + delay
        }
        // After a rest there are some at once again.
        now = now + .seconds(60)
        #expect((0..<4).map { _ in pace.delay(at: now) } == [.zero, .zero, .zero, .seconds(1)])
    }

    @Test("a mailbox that fails right after it was read waits longer each time, but not as long as one that cannot be")
    func pauses() {
        let (timings, start) = (MailboxTimings(), ContinuousClock.now)
        var (read, unread) = (FailureCount(), FailureCount())
        for _ in 0..<30 {
            read.succeeded(at: start)
            read.count(IMAPError(.closed), timings, at: start + .seconds(1))
            unread.count(IMAPError(.closed), timings, at: start)
        }
        #expect(read.pause(after: IMAPError(.closed), timings) <= timings.busyPause * 1.2)
        #expect(unread.pause(after: IMAPError(.closed), timings) >= timings.longestPause * 0.8)
        read.succeeded(at: start)
        read.count(IMAPError(.closed), timings, at: start + .seconds(120))
        #expect(read.pause(after: IMAPError(.closed), timings) <= timings.firstPause * 1.2)
    }

    @Test("folder names travel as modified UTF-7")
    func folderNames() {
        #expect(FolderName.quoted("INBOX") == "\"INBOX\"")
        #expect(FolderName.quoted("Ma il&é-\"q\\") == "\"Ma il&-&AOk--\\\"q\\\\\"")
        #expect(FolderName.quoted("台北") == "\"&U,BTFw-\"")
        #expect(FolderName.quoted("~peter/mail/台北/日本語") == "\"~peter/mail/&U,BTFw-/&ZeVnLIqe-\"")
    }

    @Test("UIDs are written with their ranges")
    func sets() {
        #expect(UIDSet.text([1, 2, 3, 7, 9, 10]) == "1:3,7,9:10")
        #expect(UIDSet.text([.max - 1, .max]) == "4294967294:4294967295")
    }

    @Test("small mails are fetched together, large ones alone")
    func plans() {
        let sizes = Dictionary(uniqueKeysWithValues: (1...120).map { (UInt32($0), $0 == 60 ? 9_000_000 : 1_000) })
        let rounds = FetchPlan(Array(1...120), sizes: sizes).rounds
        #expect(rounds.map { $0.map(\.count) } == [[50, 9, 1], [50, 10]])
    }

    @Test("what is fetched before it is stored has at most 32 MiB and 100 mails")
    func rounds() {
        let mixed = Dictionary(uniqueKeysWithValues: (1...240).map { (UInt32($0), $0 % 8 == 0 ? 6_000_000 : 4_000) })
        let rounds = FetchPlan(Array(1...240), sizes: mixed).rounds.map { $0.flatMap(\.self) }
        #expect(rounds.flatMap(\.self) == Array(1...240))
        #expect(rounds.map(\.count) == [47, 40, 40, 40, 40, 33])
        let small = FetchPlan(Array(1...250), sizes: [:]).rounds.map { $0.flatMap(\.self).count }
        #expect(small.allSatisfy { $0 <= 100 })
    }

    @Test(
        "a wrong password is told from a busy server by its words",
        arguments: [
            ("a NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", IMAPError.Code.loginRefused, "Check"),
            ("a NO [UNAVAILABLE] later", .busy, ""), ("a NO Too many simultaneous connections", .busy, ""),
            ("a BAD User is authenticated but not connected.", .busy, ""),
            ("a NO [ALERT] Too many simultaneous connections. (Failure)", .busy, ""),
            ("a NO [WEBALERT https://x] Please try again later", .busy, ""),
            ("a NO [OVERQUOTA] Account exceeded command or bandwidth limits.", .busy, ""),
            ("a NO [SERVERBUG] oops", .busy, ""), ("* BYE [LIMIT] slow down", .busy, ""),
            ("a NO [AUTHENTICATIONFAILED] Too many failed tries, try again later", .loginRefused, "Check"),
            ("a NO [AUTHORIZATIONFAILED] temporarily", .loginRefused, "Check"),
            ("a NO [EXPIRED] unavailable", .loginRefused, "Check"),
            ("a NO [PRIVACYREQUIRED] unavailable", .loginRefused, "Check"),
            ("a NO [CONTACTADMIN] unavailable", .loginRefused, "Check"),
            ("a NO Basic authentication is disabled.", .loginRefused, "OAuth2"),
            ("a NO [ALERT] Application-specific password required", .loginRefused, "app password"),
        ])
    func words(_ line: String, _ code: IMAPError.Code, _ remedy: String) {
        let error = IMAPError(StreamError(.loginRefused, "Login denied", serverWords: ["* CAPABILITY x", line]))
        #expect(error.code == code)
        #expect((error.remedy ?? "").contains(remedy))
    }
}
