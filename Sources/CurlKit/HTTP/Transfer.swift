import CCurl
import Glibc
import PinpostCore
import Synchronization

/// One request and its answer on the way, without redirects.
///
/// `@unchecked Sendable` is safe: `phase` is guarded by its lock; everything else belongs to the loop's thread from
/// `TransferLoop.submit` until the continuation is resumed.
final class Transfer: @unchecked Sendable {
    typealias Result = Swift.Result<HTTPResponse, HTTPExchangeError>

    /// Three states, so that a cancellation that comes before the loop knows the transfer is not lost.
    private enum Phase {
        case waiting
        case running(CheckedContinuation<Result, Never>)
        case over
    }

    let request: HTTPRequest
    let url: ParsedURL
    let policy: AddressPolicy
    let pool: ConnectionPool.Key
    let sources: [UploadSource]
    let timeout: Duration

    private let phase = Mutex(Phase.waiting)
    private let isAskedToStop = Mutex(false)

    /// libcurl's structures while the loop works on it.
    var setup: TransferSetup?
    private(set) var answer = Answer()
    /// Set when the request is about to leave: from then on the other side may have acted on it.
    private(set) var isSent = false
    /// Why an address was not connected to.
    private var refused: HTTPExchangeError?
    private var hasAllowedAddress = false

    init(
        _ request: HTTPRequest, to url: ParsedURL, under policy: AddressPolicy, in pool: ConnectionPool.Key,
        sources: [UploadSource], timeout: Duration
    ) {
        self.request = request
        self.url = url
        self.policy = policy
        self.pool = pool
        self.sources = sources
        self.timeout = timeout
    }

    var isCancelled: Bool { isAskedToStop.withLock { $0 } }

    /// Notes the wish to stop; the loop reads it whenever it looks at the transfer.
    func askToStop() { isAskedToStop.withLock { $0 = true } }

    func start(_ continuation: CheckedContinuation<Result, Never>) {
        phase.withLock { $0 = .running(continuation) }
    }

    /// Resumes the sender, once.
    func finish(_ result: Result) {
        let continuation: CheckedContinuation<Result, Never>? = phase.withLock { phase in
            defer { phase = .over }
            if case .running(let continuation) = phase { return continuation }
            return nil
        }
        continuation?.resume(returning: result)
    }

    /// What the loop's callbacks say.

    func mayConnect(to address: NumericAddress) -> Bool {
        do {
            try policy.check(address, of: url)
            hasAllowedAddress = true
            return true
        } catch {
            refused = error
            return false
        }
    }

    /// The last look before the first byte: the connection may be an old one.
    func maySend(to address: NumericAddress?) -> Bool {
        guard let address, mayConnect(to: address) else {
            hasAllowedAddress = false
            return false
        }
        isSent = true
        return true
    }

    /// The guard's reason, where it left no address to try.
    var refusal: HTTPExchangeError? { isSent || hasAllowedAddress ? nil : refused }

    func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool { answer.takeHeader(line) }

    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        answer.takeBody(bytes, limit: request.responseLimit, pageLimit: request.pageLimit)
    }
}

/// The answer as it streams in.
struct Answer {
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private(set) var isTooLarge = false
    /// A page of which the rest was not read.
    private(set) var isCut = false
    /// The empty line after the headers has come; libcurl takes a head that breaks off for an answer without body.
    private(set) var hasWholeHead = false
    private var headerBytes = 0

    /// Header bytes of one exchange, interim answers included.
    private static let headerLimit = 256 << 10

    mutating func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.headerLimit else {
            isTooLarge = true
            return false
        }
        // A status line starts the next answer: what came before was interim.
        if line.starts(with: Self.statusLine) {
            headers = []
            hasWholeHead = false
        } else if line.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            hasWholeHead = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.append((Self.text(line[..<colon]).lowercased(), Self.text(line[(colon + 1)...])))
        }
        return true
    }

    mutating func takeBody(_ bytes: UnsafeRawBufferPointer, limit: Int, pageLimit: Int?) -> Bool {
        guard body.count + bytes.count <= limit else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: bytes)
        guard let pageLimit, body.count > pageLimit, !isPicture else { return true }
        body.removeLast(body.count - pageLimit)
        isCut = true
        return false
    }

    /// By the first bytes, whatever the header says.
    private var isPicture: Bool {
        let type = PictureType.sniff(Array(body.prefix(PictureType.prefixLength)))
        return type != nil && type != .svg
    }

    private static let statusLine = Array("HTTP/".utf8)

    /// Without the white space around it.
    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var (start, end) = (bytes.startIndex, bytes.endIndex)
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
