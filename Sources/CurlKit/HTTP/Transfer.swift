import CCurl
import Glibc
import PinpostCore
import Synchronization

/// One request and its answer on the way, without redirects.
///
/// `@unchecked Sendable` is safe: `phase` is guarded by its lock; everything else belongs to the loop's thread from
/// `TransferLoop.run` until the continuation is resumed.
final class Transfer: @unchecked Sendable {
    /// Three states, so that a cancellation that comes before the loop knows the transfer is not lost.
    private enum Phase {
        case waiting
        case running(UnsafeContinuation<Void, Never>)
        case over
    }

    let request: HTTPRequest
    let url: ParsedURL
    let policy: AddressPolicy
    let pool: ConnectionPool.Key
    /// The files of a multipart body.
    var sources: [UploadSource] = []
    /// What is left of the time for the whole exchange.
    var timeout = Duration.zero

    private let phase = Mutex(Phase.waiting)
    private let isAskedToStop = Mutex(false)

    /// libcurl's structures while the loop works on it.
    var setup: TransferSetup?
    private(set) var answer = Answer()
    /// Why there is no answer; set before the sender is resumed.
    private(set) var failure: HTTPExchangeError?
    /// Set when the request is about to leave: from then on the other side may have acted on it.
    private(set) var isSent = false
    /// Why an address was not connected to.
    private var refused: HTTPExchangeError?
    private var hasAllowedAddress = false

    init(_ request: HTTPRequest, to url: ParsedURL, under policy: AddressPolicy) {
        var request = request
        if case .message = policy.egress { request.authorization = nil }
        self.request = request
        self.url = url
        self.policy = policy
        pool = ConnectionPool.Key(policy.egress, url)
    }

    var isCancelled: Bool { isAskedToStop.withLock { $0 } }

    /// Notes the wish to stop; the loop reads it whenever it looks at the transfer.
    func askToStop() { isAskedToStop.withLock { $0 = true } }

    func start(_ continuation: UnsafeContinuation<Void, Never>) {
        phase.withLock { $0 = .running(continuation) }
    }

    /// Ends the transfer and hands out who waits for it: nil after the first time.
    func end() -> UnsafeContinuation<Void, Never>? {
        phase.withLock { phase in
            defer { phase = .over }
            if case .running(let continuation) = phase { return continuation }
            return nil
        }
    }

    /// Resumes the sender without an answer, once.
    func fail(_ failure: HTTPExchangeError) {
        guard let sender = end() else { return }
        self.failure = failure
        sender.resume()
    }

    /// Notes how libcurl's work ended, while its structures are still there.
    func conclude(_ code: CURLcode) {
        do throws(HTTPExchangeError) {
            answer.status = try status(after: code)
        } catch {
            failure = error
        }
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
