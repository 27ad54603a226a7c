internal import CurlKit
internal import PinpostCore

/// Takes an IMAP server's bytes apart into tokens (RFC 9051 section 9), each within its limit.
struct IMAPReader {
    private let stream: any ByteStream
    private let limits: IMAPLimits
    private var buffer = [UInt8](repeating: 0, count: CurlStream.pieceLength)
    private var head = 0
    private var tail = 0
    /// Bytes that this command may still bring.
    private var allowance: Int

    init(_ stream: any ByteStream, limits: IMAPLimits) {
        self.stream = stream
        self.limits = limits
        allowance = limits.answerBytes
    }

    /// A new command: its answers have the whole allowance.
    mutating func beginCommand() { allowance = limits.answerBytes }

    /// Whether bytes are here already.
    var hasBytes: Bool { head < tail }

    mutating func peek() throws(IMAPError) -> UInt8 {
        if head == tail { try fill(until: .now + limits.silence) }
        return buffer[head]
    }

    mutating func next() throws(IMAPError) -> UInt8 {
        let byte = try peek()
        head += 1
        allowance -= 1
        guard allowance >= 0 else { throw IMAPError(.broken, "more than \(limits.answerBytes >> 20) MiB of answers") }
        return byte
    }

    /// Takes the byte if it is the next one.
    mutating func take(_ byte: UInt8) throws(IMAPError) -> Bool {
        guard try peek() == byte else { return false }
        _ = try next()
        return true
    }

    mutating func expect(_ byte: UInt8) throws(IMAPError) {
        let found = try next()
        guard found == byte else {
            throw IMAPError(.broken, "byte \(found) where \(byte) is due")
        }
    }

    /// The end of a line; a bare LF is taken as well.
    mutating func endOfLine() throws(IMAPError) {
        _ = try take(UInt8(ascii: "\r"))
        try expect(UInt8(ascii: "\n"))
    }

    /// What is left of the line, without its end.
    mutating func text() throws(IMAPError) -> String {
        var bytes: [UInt8] = []
        while true {
            let byte = try next()
            if byte == UInt8(ascii: "\n") { break }
            try append(byte, to: &bytes)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An atom, a number or a flag; what stands in brackets belongs to it: `BODY[HEADER.FIELDS (To)]`.
    mutating func atom() throws(IMAPError) -> String {
        var bytes: [UInt8] = []
        var isInBrackets = false
        while true {
            let byte = try peek()
            if byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") { break }
            if !isInBrackets, byte <= 0x20 || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") { break }
            if byte == UInt8(ascii: "[") { isInBrackets = true }
            if byte == UInt8(ascii: "]") { isInBrackets = false }
            try append(try next(), to: &bytes)
        }
        guard !bytes.isEmpty else { throw IMAPError(.broken, "a word is missing") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A quoted string, its first quote not yet taken.
    mutating func quoted() throws(IMAPError) -> [UInt8] {
        try expect(UInt8(ascii: "\""))
        var bytes: [UInt8] = []
        while true {
            var byte = try next()
            if byte == UInt8(ascii: "\"") { return bytes }
            if byte == UInt8(ascii: "\\") { byte = try next() }
            guard byte != UInt8(ascii: "\r"), byte != UInt8(ascii: "\n") else {
                throw IMAPError(.broken, "a quoted string without its end")
            }
            try append(byte, to: &bytes)
        }
    }

    /// The length of `{n}`, `{n+}` or `~{n}` with the line end behind it.
    mutating func literalLength() throws(IMAPError) -> Int {
        _ = try take(UInt8(ascii: "~"))
        try expect(UInt8(ascii: "{"))
        var length = 0
        var digits = 0
        while try (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(peek()) {
            length = length * 10 + Int(try next() - UInt8(ascii: "0"))
            digits += 1
            guard digits <= 12 else { throw IMAPError(.broken, "a literal of absurd length") }
        }
        guard digits > 0 else { throw IMAPError(.broken, "a literal without its length") }
        _ = try take(UInt8(ascii: "+"))
        try expect(UInt8(ascii: "}"))
        try endOfLine()
        return length
    }

    /// Hands over the bytes of a literal as they come.
    mutating func literal(
        _ length: Int, _ body: (UnsafeRawBufferPointer) throws(IMAPError) -> Void
    ) throws(IMAPError) {
        let last = ContinuousClock.now + limits.silence + limits.perKiB * (length >> 10)
        var left = length
        while left > 0 {
            if head == tail { try fill(until: min(last, .now + limits.silence)) }
            let count = min(left, tail - head)
            let start = head
            try buffer.lend { (bytes) throws(IMAPError) in
                try body(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
            }
            head += count
            left -= count
        }
    }

    private mutating func append(_ byte: UInt8, to bytes: inout [UInt8]) throws(IMAPError) {
        guard bytes.count < limits.tokenBytes else {
            throw IMAPError(.broken, "a word of more than \(limits.tokenBytes >> 10) KiB")
        }
        bytes.append(byte)
    }

    private mutating func fill(until deadline: ContinuousClock.Instant) throws(IMAPError) {
        var count = 0
        do throws(StreamError) {
            let stream = stream
            count = try buffer.withUnsafeMutableBufferPointer { (bytes) throws(StreamError) in
                try stream.read(into: UnsafeMutableRawBufferPointer(bytes), until: deadline)
            }
        } catch {
            throw IMAPError(error)
        }
        (head, tail) = (0, count)
    }
}
