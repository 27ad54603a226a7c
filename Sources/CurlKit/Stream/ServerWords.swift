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
}
