internal import CLinux
internal import Glibc

/// The two directions of a conversation with one client; every call blocks.
protocol LMTPStream: AnyObject, Sendable {
    func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant) -> LMTPReceived
    /// False when the client is gone, or does not read until the deadline.
    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool
    /// Says that nothing more comes, and waits a little for the client to close.
    func end(within limit: Duration)
}

enum LMTPReceived: Sendable, Hashable {
    case bytes(Int)
    case closed, timedOut
}

/// One connected client; the descriptor is closed with the object.
final class LMTPSocket: LMTPStream {
    private let descriptor: CInt

    /// Owns `descriptor` from now on.
    init(owning descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func receive(into buffer: UnsafeMutableRawBufferPointer, until deadline: ContinuousClock.Instant) -> LMTPReceived {
        while true {
            guard wait(for: POLLIN, until: deadline) else { return .timedOut }
            let count = recv(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
            if count > 0 { return .bytes(count) }
            guard count < 0, errno == EINTR || errno == EAGAIN else { return .closed }
        }
    }

    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        var sent = 0
        let flags = CInt(MSG_NOSIGNAL | MSG_DONTWAIT)
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, flags)
            }
            if count > 0 {
                sent += count
                continue
            }
            // What there is room for goes out however late we are.
            guard errno == EINTR || errno == EAGAIN, wait(for: POLLOUT, until: deadline) else { return false }
        }
        return true
    }

    /// Closing over bytes that nobody read would destroy the last reply on its way.
    func end(within limit: Duration) {
        shutdown(descriptor, CInt(SHUT_WR))
        let deadline = ContinuousClock.now + limit
        var waste = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let received = waste.withUnsafeMutableBytes { receive(into: $0, until: deadline) }
            guard case .bytes = received else { return }
        }
    }

    /// Ends every read, waiting ones too, as if the client had closed; writing goes on.
    func stopReading() { shutdown(descriptor, CInt(SHUT_RD)) }

    private func wait(for event: CInt, until deadline: ContinuousClock.Instant) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            // Rounded up: a wait of zero would spin.
            let milliseconds = CInt(clamping: Int((left / .milliseconds(1)).rounded(.up)))
            let count = poll(&waiting, 1, milliseconds)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else { return false }
        }
    }
}
