import Glibc
import PinpostCore
import Synchronization

/// An IMAP server on 127.0.0.1 with one folder, that lies, stalls or breaks off as it is told to.
public final class ScriptedIMAPServer: Sendable {
    /// What it does wrong; nothing by itself.
    public struct Script: Sendable {
        public var capabilities = "IMAP4rev1 IDLE UIDPLUS MOVE"
        public var greeting = "* OK [ALERT] ready"
        /// The answer to LOGIN and AUTHENTICATE in the place of OK, without its tag.
        public var login = "OK logged in"
        /// The lines that SELECT brings beside EXISTS.
        public var uidValidity: UInt32? = 1
        /// The UIDNEXT that SELECT brings, for the last UID; 0 where there is none.
        public var uidNext: @Sendable (UInt32) -> UInt32? = { $0 + 1 }
        /// INTERNALDATE of the mail of that UID.
        public var arrival: @Sendable (UInt32) -> String? = { _ in " 1-Dec-2026 07:30:00 +0000" }
        /// How a body is written: the whole item behind `* N FETCH (UID u `, for the mail of that UID.
        public var body: @Sendable (UInt32, [UInt8]) -> [UInt8] = { _, mail in
            Array("BODY[] {\(mail.count)}\r\n".utf8) + mail
        }
        /// What goes before the answer to each command; `%T` is its tag.
        public var before: @Sendable (String) -> String? = { _ in nil }
        /// Takes the place of the whole answer to a command; `%T` is its tag.
        public var answer: @Sendable (String) -> Answer? = { _ in nil }

        public init() {}
    }

    public enum Answer: Sendable {
        case bytes([UInt8])
        case text(String)
        /// Sends this and closes.
        case close(String)
        /// Sends this, then nothing more.
        case stall(String)
    }

    public let port: Int
    private let listener: Listener
    private let stopSignal: StopSignal
    private let state: Mutex<State>

    private struct State {
        var script: Script
        var mails: [UInt32: [UInt8]] = [:]
        var commands: [String] = []
    }

    public init(_ script: Script = Script()) throws(LoopbackError) {
        stopSignal = try StopSignal()
        listener = try Listener(port: 0)
        port = listener.port
        state = Mutex(State(script: script))
        listener.acceptClients(until: stopSignal) { [weak self] client in
            startThread { [weak self] in
                self?.serve(client)
                close(client)
            }
        }
    }

    deinit { stop() }

    public func stop() { stopSignal.fire() }

    public func put(_ mail: [UInt8], uid: UInt32) { state.withLock { $0.mails[uid] = mail } }
    /// Empties the folder.
    public func removeAll() { state.withLock { $0.mails = [:] } }
    public func change(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    /// Whether a command that begins like this names the mail.
    public static func isFor(_ uid: UInt32, _ command: String, _ beginning: String) -> Bool {
        guard command.hasPrefix(beginning) else { return false }
        return contains(String(command.dropFirst(beginning.count).prefix { $0 != " " }), uid, last: nil)
    }

    /// The commands so far, without tags.
    public var commands: [String] { state.withLock { $0.commands } }

    private func serve(_ client: CInt) {
        var session = ScriptedIMAPSession(client, stopSignal)
        let (greeting, isPlain) = state.withLock { ($0.script.greeting, !$0.script.greeting.hasPrefix("* BYE")) }
        guard session.send(greeting + "\r\n"), isPlain else { return }
        while let line = session.line() {
            guard let (tag, command) = Self.split(line) else { continue }
            let (script, mails) = state.withLock { state in
                state.commands.append(command)
                return (state.script, state.mails)
            }
            if let before = script.before(command), !session.send(before.replacing("%T", with: tag)) { return }
            let answer = script.answer(command) ?? Self.answer(to: command, tag, mails, script)
            switch answer {
            case .bytes(let bytes): guard session.send(bytes) else { return }
            case .text(let text): guard session.send(text.replacing("%T", with: tag)) else { return }
            case .close(let text):
                _ = session.send(text.replacing("%T", with: tag))
                return
            case .stall(let text):
                _ = session.send(text.replacing("%T", with: tag))
                return Socket.drainUntilClosed(client, orUntil: stopSignal)
            }
            if command.uppercased().hasPrefix("LOGOUT") { return }
        }
    }

    private static func split(_ line: String) -> (tag: String, command: String)? {
        let pieces = line.split(separator: " ", maxSplits: 1).map(String.init)
        if pieces.count == 1, pieces[0].uppercased() == "DONE" { return ("", "DONE") }
        return pieces.count == 2 ? (pieces[0], pieces[1]) : nil
    }

    private static func answer(
        to command: String, _ tag: String, _ mails: [UInt32: [UInt8]], _ script: Script
    ) -> Answer {
        let uids = mails.keys.sorted()
        let words = command.split(separator: " ").map { $0.uppercased() }
        switch words.first {
        case "CAPABILITY": return .text("* CAPABILITY \(script.capabilities)\r\n\(tag) OK\r\n")
        case "LOGIN", "AUTHENTICATE": return .text("\(tag) \(script.login)\r\n")
        case "SELECT", "EXAMINE":
            let validity = script.uidValidity.map { "* OK [UIDVALIDITY \($0)] is it\r\n" } ?? ""
            let next = script.uidNext(uids.last ?? 0).map { "* OK [UIDNEXT \($0)] next\r\n" } ?? ""
            return .text(
                "* \(uids.count) EXISTS\r\n* OK [PERMANENTFLAGS (\\Flagged \\*)] some\r\n\(validity)"
                    + "\(next)\(tag) OK [READ-WRITE] selected\r\n")
        case "IDLE": return .text("+ idling\r\n")
        case "DONE": return .text("")
        case "UID" where words.count > 1 && words[1] == "SEARCH":
            let found = uids.filter { contains(words.last ?? "", $0, last: uids.last) }
            return .text("* SEARCH \(found.map(String.init).joined(separator: " "))\r\n\(tag) OK searched\r\n")
        case "UID" where words.count > 2 && words[1] == "FETCH":
            let isBody = command.contains("BODY")
            var bytes: [UInt8] = []
            for (index, uid) in uids.enumerated() where contains(words[2], uid, last: uids.last) {
                let mail = mails[uid] ?? []
                bytes += Array("* \(index + 1) FETCH (UID \(uid) ".utf8)
                let date = command.contains("INTERNALDATE") ? script.arrival(uid) : nil
                let facts = "RFC822.SIZE \(mail.count)" + (date.map { " INTERNALDATE \"\($0)\"" } ?? "")
                bytes += isBody ? script.body(uid, mail) : Array(facts.utf8)
                bytes += Array(")\r\n".utf8)
            }
            return .bytes(bytes + Array("\(tag) OK fetched\r\n".utf8))
        case "LOGOUT": return .text("* BYE\r\n\(tag) OK\r\n")
        default: return .text("\(tag) OK done\r\n")
        }
    }

    /// Whether a sequence set has the number; `*` is the last one there is.
    private static func contains(_ set: String, _ uid: UInt32, last: UInt32?) -> Bool {
        set.split(separator: ",").contains { range in
            let ends = range.split(separator: ":").compactMap { $0 == "*" ? last : UInt32($0) }
            guard let first = ends.first, let end = ends.last else { return false }
            return (min(first, end)...max(first, end)).contains(uid)
        }
    }
}

/// One client of the server.
private struct ScriptedIMAPSession {
    private let client: CInt
    private let stopSignal: StopSignal
    private var buffered: [UInt8] = []
    /// The tag of the IDLE that DONE will end.
    private var idleTag = ""

    init(_ client: CInt, _ stopSignal: StopSignal) {
        self.client = client
        self.stopSignal = stopSignal
    }

    func send(_ text: String) -> Bool { send(Array(text.utf8)) }
    func send(_ bytes: [UInt8]) -> Bool { Socket.write(bytes, to: client) }

    /// The next line; DONE is answered on the way.
    mutating func line() -> String? {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                let line = String(decoding: buffered[..<end].filter { $0 != 13 }, as: UTF8.self)
                buffered.removeFirst(end + 1)
                if line.uppercased().hasSuffix(" IDLE") { idleTag = String(line.prefix { $0 != " " }) }
                if line.uppercased() == "DONE", !send("\(idleTag) OK idle ended\r\n") { return nil }
                return line
            }
            guard Socket.waitReadable(client, orUntil: stopSignal) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 16 << 10)
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffered += chunk[..<count]
        }
    }
}
