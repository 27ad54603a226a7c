import CCurl
import PinpostCore
import Synchronization

/// Runs every transfer of one client on one thread of its own, in libcurl's multi interface.
///
/// Senders wait as suspended tasks; they wake the thread for new work and for cancellations.
final class TransferLoop: Sendable {
    private let mailbox: Mailbox

    init(_ settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        let mailbox = Mailbox(multi: try MultiHandle())
        self.mailbox = mailbox
        startThread { Worker(mailbox, settings).run() }
    }

    deinit { mailbox.close() }

    /// Returns when the answer is complete, an error ended it, or the waiting task was cancelled.
    func run(_ transfer: Transfer) async throws(HTTPExchangeError) {
        await withTaskCancellationHandler {
            // Unsafe: `Transfer.end` gives it out once, and the loop ends every transfer.
            await withUnsafeContinuation { continuation in
                transfer.start(continuation)
                mailbox.add(transfer)
            }
        } onCancel: {
            transfer.askToStop()
            mailbox.noteCancellation()
        }
        if let failure = transfer.failure { throw failure }
    }
}

/// What crosses the border between the senders and the thread.
private final class Mailbox: Sendable {
    struct News {
        var transfers: [Transfer] = []
        var hasCancellations = false
        var isClosed = false
    }

    private struct State {
        var news = News()
        /// The thread waits for sockets, or is about to: whoever brings news has to wake it.
        var isResting = false
    }

    let multi: MultiHandle
    private let state = Mutex(State())

    init(multi: MultiHandle) { self.multi = multi }

    func add(_ transfer: Transfer) { tell { $0.transfers.append(transfer) } }

    func noteCancellation() { tell { $0.hasCancellations = true } }

    func close() { tell { $0.isClosed = true } }

    /// Exchanges what has come in for `old`, whose memory is used again.
    func take(for old: inout News) {
        old.transfers.removeAll(keepingCapacity: true)
        old.hasCancellations = false
        state.withLock { state in
            state.isResting = false
            old.isClosed = state.news.isClosed
            swap(&state.news, &old)
        }
    }

    /// Whether the thread may wait for sockets: nothing has come in since it last looked.
    func mayRest() -> Bool {
        state.withLock { state in
            guard state.news.transfers.isEmpty, !state.news.hasCancellations else { return false }
            state.isResting = true
            return true
        }
    }

    /// Waking costs a system call on both sides, so it is done only where it is needed.
    private func tell(_ change: (inout News) -> Void) {
        let isResting = state.withLock { state in
            change(&state.news)
            defer { state.isResting = false }
            return state.isResting
        }
        if isResting { multi.wake() }
    }
}

/// Owns one `CURLM`.
///
/// `@unchecked Sendable` is safe: the loop's thread alone uses it, but for `wake`, which libcurl allows from any thread.
private final class MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init() throws(HTTPExchangeError) {
        CurlLibrary.start()
        guard let pointer = curl_multi_init() else { throw HTTPExchangeError(.localFailure, "libcurl gave no loop") }
        self.pointer = pointer
        // Idle connections a pool keeps; Pinry's own server closes each one anyway.
        _ = ccurl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, 64)
    }

    deinit { curl_multi_cleanup(pointer) }

    func wake() { curl_multi_wakeup(pointer) }
}

/// The thread's own state.
private final class Worker {
    private let mailbox: Mailbox
    private let multi: MultiHandle
    private let settings: HTTPClient.Settings
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var pools: [ConnectionPool.Key: ConnectionPool] = [:]
    private var useCount = 0
    /// Whose answers are complete.
    private var senders: [UnsafeContinuation<Void, Never>] = []

    /// Servers whose idle connections are kept.
    private static let poolLimit = 64

    init(_ mailbox: Mailbox, _ settings: HTTPClient.Settings) {
        self.mailbox = mailbox
        multi = mailbox.multi
        self.settings = settings
    }

    func run() {
        var news = Mailbox.News()
        while true {
            mailbox.take(for: &news)
            for transfer in news.transfers { begin(transfer) }
            if news.hasCancellations { endCancelled() }
            if news.isClosed && running.isEmpty { return }
            var active: CInt = 0
            curl_multi_perform(multi.pointer, &active)
            reap()
            if mailbox.mayRest() { curl_multi_poll(multi.pointer, nil, 0, 60_000, nil) }
        }
    }

    private func begin(_ transfer: Transfer) {
        guard !transfer.isCancelled else { return transfer.fail(HTTPExchangeError(.cancelled)) }
        do throws(HTTPExchangeError) {
            let pool = try pool(for: transfer.pool)
            let handle = try pool.takeHandle()
            do throws(HTTPExchangeError) {
                transfer.setup = try TransferSetup(
                    transfer, on: handle, of: pool, connectTimeout: settings.connectTimeout)
            } catch {
                pool.giveBack(handle)
                throw error
            }
            let pointer = handle.easy.pointer
            running[pointer] = transfer
            guard curl_multi_add_handle(multi.pointer, pointer) == CURLM_OK else {
                end(transfer, on: pointer)
                return transfer.fail(HTTPExchangeError(.localFailure, "libcurl refused"))
            }
        } catch {
            transfer.fail(error)
        }
    }

    private func endCancelled() {
        for (pointer, transfer) in running where transfer.isCancelled {
            end(transfer, on: pointer)
            transfer.fail(HTTPExchangeError(.cancelled, mayHaveArrived: transfer.isSent))
        }
    }

    /// The senders are resumed together: waking a thread for each of them costs more than their answers.
    private func reap() {
        var left: CInt = 0
        while let message = curl_multi_info_read(multi.pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let pointer = message.pointee.easy_handle,
                let transfer = running[pointer]
            else { continue }
            transfer.conclude(ccurl_result(message))
            end(transfer, on: pointer)
            if let sender = transfer.end() { senders.append(sender) }
        }
        for sender in senders { sender.resume() }
        senders.removeAll(keepingCapacity: true)
    }

    private func end(_ transfer: Transfer, on pointer: UnsafeMutableRawPointer) {
        curl_multi_remove_handle(multi.pointer, pointer)
        running[pointer] = nil
        guard let (handle, pool) = transfer.setup.map({ ($0.handle, $0.pool) }) else { return }
        // The handle is clean before the next one gets it.
        transfer.setup = nil
        pool.giveBack(handle)
    }

    private func pool(for key: ConnectionPool.Key) throws(HTTPExchangeError) -> ConnectionPool {
        useCount += 1
        if let known = pools[key] {
            known.lastUse = useCount
            return known
        }
        if pools.count >= Self.poolLimit { forgetOldestPool() }
        let pool = try ConnectionPool(key, settings)
        pool.lastUse = useCount
        pools[key] = pool
        return pool
    }

    private func forgetOldestPool() {
        let oldest = pools.filter { $0.value.inUse == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { pools[oldest.key] = nil }
    }
}
