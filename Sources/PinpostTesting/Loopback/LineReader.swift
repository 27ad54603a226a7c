import Glibc

/// Reads a client's lines, without their ends.
struct LineReader {
    private let client: CInt
    private let stopSignal: StopSignal
    private var buffered: [UInt8] = []

    init(_ client: CInt, _ stopSignal: StopSignal) {
        self.client = client
        self.stopSignal = stopSignal
    }

    /// nil when the client has gone or the server stops.
    mutating func next() -> String? {
        while true {
            if let end = buffered.firstIndex(of: 10) {
                let line = String(decoding: buffered[..<end].filter { $0 != 13 }, as: UTF8.self)
                buffered.removeFirst(end + 1)
                return line
            }
            guard Socket.waitReadable(client, orUntil: stopSignal) else { return nil }
            var chunk = [UInt8](repeating: 0, count: 16 << 10)
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            buffered += chunk[..<count]
        }
    }
}
