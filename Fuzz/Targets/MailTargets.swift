import CurlKit
import PinpostCore

@testable import Mail

/// Mails, and the containers in them.
enum MailTarget {
    /// What is found does not depend on where the bytes were cut.
    static func mail(_ bytes: [UInt8]) {
        let whole = read(bytes, piece: .max)
        let cut = read(bytes, piece: bytes.count % 61 + 1)
        precondition(whole == cut, "pieces of \(bytes.count % 61 + 1) bytes read differently")
    }

    /// The server whose statements about senders count: they are read only then.
    private static let trusted = [AuthServerPattern("mx.example")].compactMap { $0 }

    private static func read(_ bytes: [UInt8], piece: Int) -> Result<MessageContent, MailError> {
        Result { () throws(MailError) in
            try MailReader().read(
                Pieces(bytes, of: piece), into: MeasuringBlobStore(), knownBoards: ["Trips"], trusting: trusted)
        }
    }

    /// `winmail.dat`, in the mail that it comes in.
    static func tnef(_ bytes: [UInt8]) {
        let header = "Subject: x\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\n\r\n"
        mail(Array(header.utf8) + (bytes.starts(with: TNEFReader.signature) ? [] : TNEFReader.signature) + bytes)
    }
}

/// What a mail server answers.
enum IMAPTarget {
    static func run(_ bytes: [UInt8]) {
        let whole = read(bytes, piece: .max)
        let cut = read(bytes, piece: bytes.count % 61 + 1)
        precondition(whole == cut, "pieces of \(bytes.count % 61 + 1) bytes read differently")
    }

    private static func read(_ bytes: [UInt8], piece: Int) -> [String] {
        let limits = IMAPLimits()
        let stream = Answers(bytes[...], piece: piece)
        var parser = IMAPParser(IMAPReader(stream, limits: limits), limits: limits)
        var found: [String] = []
        do {
            while true {
                let response = try parser.next { ArrivingMail(MeasuringBlobStore().makeWriter()) }
                found.append("\(response)")
            }
        } catch {
            return found + ["\(error)"]
        }
    }

    private final class Answers: ByteStream {
        private var rest: ArraySlice<UInt8>
        private let piece: Int

        init(_ bytes: ArraySlice<UInt8>, piece: Int) { (rest, self.piece) = (bytes, piece) }

        func read(
            into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant
        ) throws(StreamError) -> Int {
            guard !rest.isEmpty else { throw StreamError(.closed) }
            let part = rest.prefix(min(piece, buffer.count))
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }

        func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(StreamError) {}

        func waitForNews(until deadline: ContinuousClock.Instant) throws(StreamError) -> StreamNews {
            rest.isEmpty ? .deadline : .bytes
        }
    }
}

/// Bytes that come in pieces of a chosen size.
final class Pieces: BlobReader {
    private var rest: ArraySlice<UInt8>
    private let size: Int

    init(_ bytes: [UInt8], of size: Int) { (rest, self.size) = (bytes[...], size) }

    func read(upTo limit: Int) -> [UInt8] {
        let piece = Array(rest.prefix(min(limit, size)))
        rest = rest.dropFirst(piece.count)
        return piece
    }

    func descriptor() throws(StoreError) -> CInt { throw StoreError(.refused) }
}
