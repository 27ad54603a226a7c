import CCurl
import Synchronization

/// Keeps what a server says while libcurl logs in: libcurl's own error tells a wrong password from a busy server no more.
///
/// Lines are the server's alone; what we send never comes here.
final class ServerWords: Sendable {
    private static let lineLimit = 20
    private static let lengthLimit = 400

    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func take(_ line: UnsafeRawBufferPointer) {
        let text = String(decoding: line.prefix(Self.lengthLimit), as: UTF8.self)
        let plain = String(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
        lines.withLock { lines in
            if lines.count == Self.lineLimit { lines.removeFirst() }
            lines.append(plain)
        }
    }

    /// For `CURLOPT_HEADERFUNCTION`, with such an object as its data.
    static let keep: curl_write_callback = { data, size, count, context in
        guard let context else { return 0 }
        let line = UnsafeRawBufferPointer(start: data, count: size * count)
        Unmanaged<ServerWords>.fromOpaque(context).takeUnretainedValue().take(line)
        return line.count
    }
}
