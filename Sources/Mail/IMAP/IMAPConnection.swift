internal import CurlKit
internal import PinpostCore

/// A logged-in connection to a mail server; every method blocks on the connection's own thread.
///
/// Commands name mails by UID alone, bodies are read by BODY.PEEK[] alone, and answers belong to the tag they carry.
/// After an error other than `.refused` and `.busy` the connection is over.
actor IMAPConnection {
    /// What the server told when the folder was opened.
    struct Folder {
        var uidValidity: UInt32?
        var uidNext: UInt32?
        var count = 0
        var permanentFlags: [String] = []
        var isReadOnly = false

        /// Whether mails may carry this keyword.
        func takesKeyword(_ keyword: String) -> Bool {
            permanentFlags.contains { $0 == "\\*" || $0.lowercased() == keyword.lowercased() }
        }
    }

    private let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let alarm: StreamAlarm
    let limits: IMAPLimits
    private var stream: (any ByteStream)?
    private var parser: IMAPParser?
    private var tagCount = 0
    private(set) var capabilities: Set<String> = []
    /// More mails may be there than at the last search.
    var hasNews = false
    /// Mails in the folder, as far as the server has told.
    private var count = 0
    /// The untagged BYE, once it has come.
    private var farewell: IMAPStatus?
    /// What the server wants a person to know, as it came.
    private(set) var alerts: [String] = []

    init(limits: IMAPLimits = IMAPLimits()) throws(IMAPError) {
        self.limits = limits
        do throws(StreamError) { alarm = try StreamAlarm() } catch { throw IMAPError(error) }
    }

    /// Connects, encrypts, logs in and asks what the server can do.
    func open(_ target: StreamTarget, as login: StreamLogin) throws(IMAPError) {
        do throws(StreamError) {
            try use(CurlStream(to: target, as: login, alarm: alarm, timeout: limits.login))
        } catch {
            throw IMAPError(error)
        }
        // Lines that came in one piece with the login's answer are lost in libcurl: nothing said so far counts.
        try command("CAPABILITY")
        if capabilities.contains("ID") { _ = try? command("ID (\"name\" \"Pinpost\")") }
    }

    /// Speaks over a stream that is there already.
    func use(_ stream: any ByteStream) {
        self.stream = stream
        parser = IMAPParser(IMAPReader(stream, limits: limits), limits: limits)
    }

    /// Ends a wait for news.
    nonisolated func ring() { alarm.ring() }

    /// Breaks off whatever is under way.
    nonisolated func cancel() { alarm.cancel() }

    /// Says goodbye, if the server still listens; waits for no answer.
    func close() {
        try? send("\(nextTag()) LOGOUT\r\n")
        stream = nil
        parser = nil
    }

    func select(_ name: String, readOnly: Bool) throws(IMAPError) -> Folder {
        var folder = Folder()
        let end = try command("\(readOnly ? "EXAMINE" : "SELECT") \(FolderName.quoted(name))") { response in
            switch response {
            case .exists(let count): folder.count = count
            case .status(let status): folder.learn(status.code)
            default: break
            }
        }
        folder.isReadOnly = readOnly || end.code.first == "READ-ONLY"
        return folder
    }

    /// The UIDs from `first` on, ascending.
    func search(from first: UInt32) throws(IMAPError) -> [UInt32] {
        hasNews = false
        // `n:*` gives the last mail even where its UID is below n.
        return try search("\(first):*").filter { $0 >= first }
    }

    /// Which of these are there, ascending.
    func search(_ set: String) throws(IMAPError) -> [UInt32] {
        var found: Set<UInt32> = []
        try command("UID SEARCH UID \(set)") { response in
            if case .search(let uids) = response { found.formUnion(uids) }
        }
        // No mail has the last number: UIDNEXT, which is above all of them, could not be written.
        return found.filter { $0 > 0 && $0 < .max }.sorted()
    }

    func noop() throws(IMAPError) { try command("NOOP") }

    /// Sends one command and reads up to its end; throws the server's words when it is refused.
    @discardableResult
    func command(
        _ text: String, _ take: (IMAPResponse) -> Void = { _ in }
    ) throws(IMAPError) -> IMAPStatus {
        let tag = nextTag()
        parser?.beginCommand()
        try send("\(tag) \(text)\r\n")
        while true {
            let response = try next()
            guard case .completed(let completed, let status) = response else {
                take(response)
                continue
            }
            guard completed == tag else { throw IMAPError(.broken, "an answer to \(completed.prefix(20))") }
            guard status.condition == .ok else { throw status.error }
            return status
        }
    }

    /// The answers to come have the whole allowance again.
    func beginAnswers() { parser?.beginCommand() }

    func nextTag() -> String {
        tagCount += 1
        return "p\(tagCount)"
    }

    func send(_ text: String) throws(IMAPError) {
        guard let stream else { throw IMAPError(.closed) }
        do throws(StreamError) {
            try stream.write(Array(text.utf8), until: .now + limits.silence)
        } catch {
            throw farewell.map(\.error) ?? IMAPError(error)
        }
    }

    /// The next answer; what may come at any time is noted on the way.
    func next(storing makeMail: (() -> ArrivingMail)? = nil) throws(IMAPError) -> IMAPResponse {
        guard parser != nil else { throw IMAPError(.closed) }
        let response: IMAPResponse
        do throws(IMAPError) {
            response = try parser?.next(storing: makeMail) ?? .other
        } catch {
            // A server that says goodbye and hangs up has told the reason.
            if let farewell, error.code == .closed { throw farewell.error }
            throw error
        }
        switch response {
        // Some tell the number after every command; only more mails are news.
        case .exists(let number):
            hasNews = hasNews || number > count
            count = number
        case .expunged: count = max(count - 1, 0)
        case .capabilities(let words): capabilities = Set(words)
        case .status(let status):
            if status.condition == .bye { farewell = status }
            if status.code.first == "ALERT", alerts.count < 10 { alerts.append(status.words) }
        default: break
        }
        return response
    }

    /// Waits until bytes are there, somebody rings, or time is up.
    func waitForNews(until deadline: ContinuousClock.Instant) throws(IMAPError) -> StreamNews {
        guard let stream, let parser else { throw IMAPError(.closed) }
        if parser.hasBytes { return .bytes }
        do throws(StreamError) { return try stream.waitForNews(until: deadline) } catch { throw IMAPError(error) }
    }
}

extension IMAPConnection.Folder {
    fileprivate mutating func learn(_ code: [String]) {
        switch code.first {
        case "UIDVALIDITY": uidValidity = code.dropFirst().first.flatMap { UInt32($0) }
        case "UIDNEXT": uidNext = code.dropFirst().first.flatMap { UInt32($0) }
        case "PERMANENTFLAGS":
            permanentFlags = code.dropFirst().map { String($0.drop { $0 == "(" }.prefix { $0 != ")" }) }
        default: break
        }
    }
}
