import CCurl
import Glibc
import PinpostCore

/// A byte stream to a mail server, behind libcurl's TLS, proxy and login (`CURLOPT_CONNECT_ONLY`).
///
/// Each connection has a handle of its own; from libcurl 8.12 on a second `perform` is refused.
public final class CurlStream: ByteStream {
    /// What one read brings at most, in bytes.
    public static let pieceLength = 64 << 10

    private let handle: EasyHandle
    private let socket: CInt
    private let alarm: StreamAlarm
    /// Bytes that were read while only news was waited for.
    private var peeked: UInt8?

    /// Connects, encrypts and logs in; blocks for up to `timeout`.
    public init(
        to target: StreamTarget, as login: StreamLogin, alarm: StreamAlarm, timeout: Duration = .seconds(60)
    ) throws(StreamError) {
        let words = ServerWords()
        let setup = try StreamSetup(target, login, alarm: alarm, words: words, timeout: timeout)
        let code = curl_easy_perform(setup.handle.pointer)
        guard code == CURLE_OK else { throw setup.error(code) }
        let socket = ccurl_get_socket(setup.handle.pointer)
        guard socket >= 0 else { throw StreamError(.closed, serverWords: words.all) }
        handle = setup.handle
        self.socket = socket
        self.alarm = alarm
        setup.detach()
        // Unsent bytes of a dead connection are given up like everything else: in a minute, not in fifteen.
        var milliseconds: CInt = 60_000
        setsockopt(socket, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<CInt>.size))
    }

    public func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant
    ) throws(StreamError) -> Int {
        if let peeked, buffer.count > 0 {
            buffer[0] = peeked
            self.peeked = nil
            return 1
        }
        while true {
            if let count = try receive(into: buffer) { return count + receiveRest(into: buffer, from: count) }
            if try wait(for: POLLIN, until: deadline) == .deadline { throw StreamError(.timedOut) }
        }
    }

    /// What else is here already, as far as it fits: a TLS record is small, and each piece costs its taker a call or two.
    ///
    /// What ends the stream is told by the next read.
    private func receiveRest(into buffer: UnsafeMutableRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end < buffer.count,
            let count = try? receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
        {
            end += count
        }
        return end - start
    }

    public func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(StreamError) {
        var sent = 0
        while sent < bytes.count {
            var count = 0
            let code = bytes.withUnsafeBytes { raw in
                curl_easy_send(handle.pointer, raw.baseAddress.map { $0 + sent }, raw.count - sent, &count)
            }
            sent += count
            if code == CURLE_AGAIN {
                if try wait(for: POLLOUT, until: deadline) == .deadline { throw StreamError(.timedOut) }
            } else if code != CURLE_OK {
                throw StreamError(.closed, Self.text(code))
            }
        }
    }

    public func waitForNews(until deadline: ContinuousClock.Instant) throws(StreamError) -> StreamNews {
        while true {
            if alarm.takeRing() { return .alarm }
            if peeked != nil { return .bytes }
            // TLS may hold bytes that poll does not see: only "again" means that there are none.
            var byte: UInt8 = 0
            let count = try withUnsafeMutableBytes(of: &byte) { (buffer) throws(StreamError) in
                try receive(into: buffer)
            }
            if count != nil {
                peeked = byte
                return .bytes
            }
            if try wait(for: POLLIN, until: deadline) == .deadline { return .deadline }
        }
    }

    /// nil when there is nothing now.
    private func receive(into buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int? {
        if alarm.isCancelled { throw StreamError(.cancelled) }
        var count = 0
        let code = curl_easy_recv(handle.pointer, buffer.baseAddress, buffer.count, &count)
        switch code {
        case CURLE_OK where count > 0: return count
        case CURLE_OK: throw StreamError(.closed)
        case CURLE_AGAIN: return nil
        default: throw StreamError(.closed, Self.text(code))
        }
    }

    /// Returns `.bytes` when the socket may be ready, or `.alarm` when somebody rang.
    private func wait(
        for events: CInt, until deadline: ContinuousClock.Instant
    ) throws(StreamError) -> StreamNews {
        if alarm.isCancelled { throw StreamError(.cancelled) }
        let left = (deadline - .now).milliseconds
        guard left > 0 else { return .deadline }
        var waits = [
            pollfd(fd: socket, events: Int16(events), revents: 0),
            pollfd(fd: alarm.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        // Rounded up by one, or the last millisecond would be spent spinning.
        guard poll(&waits, 2, CInt(min(left + 1, 3_600_000))) >= 0 || errno == EINTR else {
            throw StreamError(.localFailure, "poll fails")
        }
        if waits[1].revents != 0 {
            alarm.drain()
            if alarm.isCancelled { throw StreamError(.cancelled) }
            return .alarm
        }
        return .bytes
    }

    private static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }
}
