import Glibc
public import PinpostCore
import Synchronization

/// A mail server on 127.0.0.1 that keeps what it is given, or refuses it as it is told to.
public final class SMTPSink: Sendable {
    /// What it says.
    public struct Script: Sendable {
        public var greeting = "220 sink.example ESMTP"
        public var capabilities = ["SIZE 10000000", "8BITMIME", "AUTH PLAIN LOGIN"]
        /// Takes the place of the usual answer to a command (`AUTH …`, `MAIL FROM:<>` …) or, as `.`, to the end of a mail.
        public var answer: @Sendable (String) -> String? = { _ in nil }
        /// Closes the connection in the place of an answer.
        public var hangsUp: @Sendable (String) -> Bool = { _ in false }

        public init() {}
    }

    public struct Mail: Sendable {
        public let from: String
        public let recipients: [String]
        /// As it was sent, dots unstuffed.
        public let text: String
    }

    public let port: Int
    private let listener: Listener
    private let stopSignal: StopSignal
    private let state: Mutex<State>
    /// Fires when a mail has come.
    public let arrivals = Signal()

    private struct State {
        var script: Script
        var commands: [String] = []
        var mails: [Mail] = []
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

    public var mails: [Mail] { state.withLock { $0.mails } }
    /// Every line that clients sent outside of mails.
    public var commands: [String] { state.withLock { $0.commands } }
    public func change(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    private func serve(_ client: CInt) {
        var lines = LineReader(client, stopSignal)
        var envelope = (from: "", recipients: [String]())
        guard send(state.withLock { $0.script.greeting }, client) else { return }
        while let line = lines.next() {
            let script = state.withLock { state in
                state.commands.append(line)
                return state.script
            }
            let verb = line.prefix { $0 != " " }.uppercased()
            if script.hangsUp(line) { return }
            let answer = script.answer(line) ?? Self.answer(to: verb, script)
            guard send(answer, client) else { return }
            switch verb {
            case "MAIL": envelope = (Self.path(of: line), [])
            case "RCPT" where answer.hasPrefix("2"): envelope.recipients.append(Self.path(of: line))
            case "AUTH" where answer.hasPrefix("334"):
                let rounds = line.uppercased().hasPrefix("AUTH LOGIN") ? 2 : 1
                for round in 1...rounds {
                    guard lines.next() != nil, send(round == rounds ? "235 in" : "334 ", client) else { return }
                }
            case "DATA" where answer.hasPrefix("354"):
                guard let text = Self.mail(from: &lines) else { return }
                if script.hangsUp(".") { return }
                let verdict = script.answer(".") ?? "250 kept"
                if verdict.hasPrefix("2") {
                    keep(Mail(from: envelope.from, recipients: envelope.recipients, text: text))
                }
                guard send(verdict, client) else { return }
            case "QUIT": return
            default: break
            }
        }
    }

    private func keep(_ mail: Mail) {
        state.withLock { $0.mails.append(mail) }
        arrivals.fire()
    }

    private func send(_ line: String, _ client: CInt) -> Bool { Socket.write(Array((line + "\r\n").utf8), to: client) }

    private static func answer(to verb: String, _ script: Script) -> String {
        switch verb {
        case "EHLO":
            let lines = ["sink.example"] + script.capabilities
            return lines.enumerated().map { "250\($0 == lines.count - 1 ? " " : "-")\($1)" }.joined(separator: "\r\n")
        case "AUTH": return "334 "
        case "DATA": return "354 go on"
        case "QUIT": return "221 bye"
        default: return "250 fine"
        }
    }

    private static func path(of line: String) -> String {
        String(line.drop { $0 != "<" }.dropFirst().prefix { $0 != ">" })
    }

    private static func mail(from lines: inout LineReader) -> String? {
        var text = ""
        while let line = lines.next() {
            if line == "." { return text }
            text += (line.hasPrefix(".") ? String(line.dropFirst()) : line) + "\r\n"
        }
        return nil
    }
}
