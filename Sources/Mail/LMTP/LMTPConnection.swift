internal import PinpostCore

/// The conversation with one client, on a thread of its own, since it waits for socket and disk.
actor LMTPConnection {
    private let socket: LMTPSocket
    private let intake: MailIntake
    private let limits: LMTPLimits
    private let logger: Logger
    private let shutdown: Shutdown
    private let thread = ThreadExecutor()
    private var input: LMTPInput
    /// Replies that are sent together (RFC 2920 section 3.2).
    private var output: [UInt8] = []
    private var isGreeted = false
    private var transaction: Transaction?
    private var commands = 0
    private var mistakes = 0

    /// From MAIL to the end of the mail.
    private struct Transaction {
        let sender: String
        var destinations: [MailIntake.Destination] = []
    }

    private static let writing: Duration = .seconds(60)
    private static let parting: Duration = .seconds(2)

    init(_ socket: LMTPSocket, intake: MailIntake, limits: LMTPLimits, logger: Logger, shutdown: Shutdown) {
        self.socket = socket
        self.intake = intake
        self.limits = limits
        self.logger = logger
        self.shutdown = shutdown
        input = LMTPInput(socket, lineLimit: limits.commandBytes)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Runs until the client has gone, or has to.
    func run() async {
        output += LMTPReply.ready.bytes
        let end = ContinuousClock.now + limits.connection
        var isOpen = true
        while isOpen {
            guard flush() else { return }
            do throws(LMTPInput.End) {
                isOpen = await answer(try input.line(until: min(end, .now + limits.idle)))
            } catch {
                if let reply = reply(to: error) { output += reply.bytes }
                isOpen = false
            }
        }
        if socket.send(output, until: .now + Self.writing) { socket.end(within: Self.parting) }
    }

    /// What is said to a client that is let go; nil when it has gone by itself.
    private func reply(to end: LMTPInput.End) -> LMTPReply? {
        switch end {
        case .closed: shutdown.isRequested ? .stopping : nil
        case .timedOut: .tooSlow
        case .tooLong: .tooLong
        case .bareLineEnd: .bareLineEnd
        }
    }

    /// Sends what is waiting, unless the client has sent more to be answered.
    private func flush() -> Bool {
        guard !output.isEmpty, !input.hasLine || output.count > 16 << 10 else { return true }
        defer { output.removeAll(keepingCapacity: true) }
        return socket.send(output, until: .now + Self.writing)
    }

    /// False when the connection ends.
    private func answer(_ line: [UInt8]) async -> Bool {
        commands += 1
        let command = LMTPCommand(line)
        if command == .data { return await takeMail() }
        let reply = commands > limits.commands ? LMTPReply.enough : await self.reply(to: command)
        output += reply.bytes
        if reply.isMistake { mistakes += 1 }
        if mistakes > limits.mistakes {
            output += LMTPReply.enough.bytes
            return false
        }
        return reply.code != 421 && reply.code != 221
    }

    private func reply(to command: LMTPCommand) async -> LMTPReply {
        switch command {
        case .hello:
            (isGreeted, transaction) = (true, nil)
            return .greeting(limits: limits)
        case .mail(let sender, let parameters):
            guard isGreeted, transaction == nil else { return .wrongOrder }
            if let size = parameters.size, size > limits.messageBytes { return .tooLarge }
            transaction = Transaction(sender: sender)
            return .senderOk
        case .recipient(let address):
            return await reply(toRecipient: address)
        case .reset:
            transaction = nil
            return .done
        case .data, .noop: return .done
        case .verify: return .cannotVerify
        case .quit: return .goodbye
        case .wrong(let reply): return reply
        }
    }

    private func reply(toRecipient address: String) async -> LMTPReply {
        guard let count = transaction?.destinations.count else { return .wrongOrder }
        guard count < limits.recipients else { return .tooManyRecipients }
        do throws(StoreError) {
            guard let destination = try await intake.destination(of: address) else { return .noSuchAddress }
            guard !intake.isSpent(destination) else { return .spent }
            // Each of them gets the whole mail: a few boards are meant, many are a trick.
            let twins = transaction?.destinations.count { $0.address == destination.address } ?? 0
            guard twins < limits.boardsOfAddress else { return .tooManyRecipients }
            transaction?.destinations.append(destination)
            return .recipientOk
        } catch {
            logger.warning("a recipient cannot be looked up", ["reason": error.description])
            return .trouble(error)
        }
    }
}

extension LMTPConnection {
    /// Answers DATA; false when the connection ends.
    private func takeMail() async -> Bool {
        guard let current = transaction, !current.destinations.isEmpty else {
            output += (transaction == nil ? LMTPReply.wrongOrder : .noRecipients).bytes
            mistakes += 1
            return mistakes <= limits.mistakes
        }
        output += LMTPReply.startMail.bytes
        guard socket.send(output, until: .now + Self.writing) else { return false }
        output.removeAll(keepingCapacity: true)
        let body: MailBody
        do throws(LMTPInput.End) {
            body = try receive()
        } catch {
            // What came so far is forgotten; the client has no answer, and sends it again.
            if let reply = reply(to: error) { output += reply.bytes }
            return false
        }
        for reply in await replies(to: body, of: current) { output += reply.bytes }
        (transaction, commands) = (nil, 0)
        // Nobody knows whether what follows is a command or the rest of a mail.
        return !body.isSmuggled
    }

    /// A mail whose end has come.
    private struct MailBody {
        /// nil: over the limit.
        let mail: ArrivingMail?
        let isSmuggled: Bool
        let failure: StoreError?
    }

    /// Straight to the spool; what cannot be kept is read to its end all the same, so that it can be answered.
    private func receive() throws(LMTPInput.End) -> MailBody {
        let deadline = ContinuousClock.now + limits.mail
        var (mail, failure): (ArrivingMail?, StoreError?) = (intake.begin(), nil)
        var decoder = DotDecoder()
        var count = 0
        let limit = limits.messageBytes
        var isOver = false
        while !isOver {
            isOver = try input.bytes(until: min(deadline, .now + limits.idle)) { bytes in
                decoder.take(bytes) { piece in
                    count += piece.count
                    if count > limit { mail = nil }
                    guard failure == nil else { return }
                    do throws(StoreError) { try mail?.take(piece) } catch { failure = error }
                }
            }
        }
        return MailBody(mail: mail, isSmuggled: decoder.isSmuggled, failure: failure)
    }

    /// One reply for each recipient, in order (RFC 2033 section 4.2).
    private func replies(to body: MailBody, of current: Transaction) async -> [LMTPReply] {
        let refusal: LMTPReply? =
            if body.isSmuggled { .smuggled } else if body.mail == nil { .tooLarge } else if let error = body.failure {
                .trouble(error)
            } else if body.mail?.isMail != true { .notAMail } else { nil }
        if let failure = body.failure { logger.warning("a mail cannot be stored", ["reason": failure.description]) }
        guard refusal == nil, let mail = body.mail else {
            return current.destinations.map { _ in refusal ?? .trouble }
        }
        do throws(StoreError) {
            let results = try await intake.accept(mail, for: current.destinations, from: current.sender)
            for case .failure(let error) in results {
                logger.warning("a mail cannot be stored", ["reason": error.description])
            }
            return results.map { .delivered($0) }
        } catch {
            logger.warning("a mail cannot be stored", ["reason": error.description])
            return current.destinations.map { _ in .trouble(error) }
        }
    }
}
