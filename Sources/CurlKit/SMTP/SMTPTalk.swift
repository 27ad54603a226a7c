import CCurl

/// What was said about one mail, as far as it tells whom a refusal concerns: this mail, or everything that goes this way.
///
/// libcurl's own error is the same for both. Of what we send, no more is kept than how far it got: passwords are among
/// it. Only the thread that performs the transfer comes here.
final class SMTPTalk {
    /// How far we are, by the last command.
    private enum Stage {
        /// Greeting, EHLO, STARTTLS, AUTH.
        case session
        /// MAIL: the return path and the size, or how the server is doing.
        case envelope
        /// RCPT, DATA, and the mail itself.
        case mail
    }

    /// Everything that the server said.
    let words = ServerWords()
    /// The server's refusal of the last command.
    private(set) var refusal: String?
    private var stage = Stage.session
    /// After QUIT nothing that is answered matters.
    private var isOver = false

    /// RFC 5321 section 4.2, RFC 4954 section 6: 421 ends the session, whatever it answers, and 530 wants a login.
    var verdict: SMTPError.Code {
        guard let refusal, stage != .session, !["421", "530"].contains(refusal.prefix(3)) else { return .unavailable }
        if refusal.hasPrefix("5") { return .refused }
        return stage == .mail ? .postponed : .unavailable
    }

    private func begin(_ command: UnsafeRawBufferPointer) {
        switch String(decoding: command.prefix(5), as: UTF8.self) {
        case "QUIT\r":
            isOver = true
            return
        case "MAIL ": stage = .envelope
        case "RCPT ", "DATA\r": stage = .mail
        default: break
        }
        refusal = nil
    }

    private func take(_ line: UnsafeRawBufferPointer) {
        words.take(line)
        guard !isOver, let first = line.first, [UInt8(ascii: "4"), UInt8(ascii: "5")].contains(first) else { return }
        refusal = words.all.last
    }

    /// For `CURLOPT_HEADERFUNCTION`, with such an object as its data.
    static let hear: curl_write_callback = { data, size, count, context in
        guard let context else { return 0 }
        let line = UnsafeRawBufferPointer(start: data, count: size * count)
        Unmanaged<SMTPTalk>.fromOpaque(context).takeUnretainedValue().take(line)
        return line.count
    }

    /// For `CURLOPT_DEBUGFUNCTION`, with such an object as its data.
    static let say: curl_debug_callback = { _, kind, data, count, context in
        guard let context, kind == CURLINFO_HEADER_OUT else { return 0 }
        let command = UnsafeRawBufferPointer(start: data, count: count)
        Unmanaged<SMTPTalk>.fromOpaque(context).takeUnretainedValue().begin(command)
        return 0
    }
}
