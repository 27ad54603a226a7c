import Glibc

/// One accepted connection, read and answered on its own thread.
struct Connection: Sendable {
    let socket: CInt
    let stopSignal: StopSignal
    let number: Int
    let bodyLimit: Int
    let handler: LoopbackServer.Handler

    private static let headLimit = 128 << 10

    func run() {
        defer { close(socket) }
        var buffered: [UInt8] = []
        while let request = readRequest(&buffered) {
            let reply = handler(request)
            if reply.delay > .zero, !Socket.stayQuiet(socket, for: reply.delay, orUntil: stopSignal) { return }
            // The answer to HEAD has the length of the body, but no body.
            let bytes = request.method == "HEAD" ? Self.head(of: reply.bytes) : reply.bytes
            guard Socket.write(bytes, to: socket) else { return }
            switch reply.ending {
            case .keepAlive: continue
            case .close: return
            case .reset: return Socket.resetOnClose(socket)
            case .hang: return Socket.drainUntilClosed(socket, orUntil: stopSignal)
            }
        }
    }

    private func readRequest(_ buffered: inout [UInt8]) -> LoopbackServer.Request? {
        var end = Self.endOfHead(buffered)
        while end == nil {
            guard buffered.count < Self.headLimit, fill(&buffered) else { return nil }
            end = Self.endOfHead(buffered)
        }
        guard let end else { return nil }
        let lines = Self.lines(buffered[..<end])
        buffered.removeFirst(end)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().compactMap(Self.header)
        func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
        let isChunked = value("transfer-encoding")?.lowercased() == "chunked"
        let length = Int(value("content-length") ?? "0") ?? 0
        guard length <= bodyLimit else {
            _ = Socket.write(Self.tooLarge, to: socket)
            // The client may still be sending: read on, or its view of the answer is lost in a reset.
            shutdown(socket, CInt(SHUT_WR))
            Socket.drainUntilClosed(socket, orUntil: stopSignal)
            return nil
        }
        if value("expect")?.lowercased() == "100-continue" {
            guard Socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), to: socket) else { return nil }
        }
        guard let body = isChunked ? readChunks(&buffered) : readBytes(length, &buffered) else { return nil }
        return LoopbackServer.Request(
            method: String(words[0]), target: String(words[1]), headers: headers, body: body, isChunked: isChunked,
            connection: number)
    }

    private func fill(_ buffered: inout [UInt8]) -> Bool {
        guard Socket.waitReadable(socket, orUntil: stopSignal) else { return false }
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(socket, &chunk, chunk.count, 0)
        guard count > 0 else { return false }
        buffered.append(contentsOf: chunk[..<count])
        return true
    }

    private func readBytes(_ count: Int, _ buffered: inout [UInt8]) -> [UInt8]? {
        while buffered.count < count {
            guard fill(&buffered) else { return nil }
        }
        defer { buffered.removeFirst(count) }
        return Array(buffered[..<count])
    }

    private func readChunks(_ buffered: inout [UInt8]) -> [UInt8]? {
        var body: [UInt8] = []
        while true {
            while !buffered.contains(10) {
                guard fill(&buffered) else { return nil }
            }
            let line = buffered.prefix { $0 != 10 }
            let digits = String(decoding: line.prefix { $0 != 13 && $0 != UInt8(ascii: ";") }, as: UTF8.self)
            buffered.removeFirst(line.count + 1)
            guard let size = Int(digits, radix: 16), size + body.count <= bodyLimit,
                let chunk = readBytes(size + 2, &buffered)
            else { return nil }
            if size == 0 { return body }
            body += chunk.dropLast(2)
        }
    }

    private static let tooLarge = LoopbackServer.Reply(
        413, [("Content-Type", "text/html")], body: Array("<h1>413 Request Entity Too Large</h1>".utf8), then: .close
    ).bytes

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (3..<bytes.count).first { bytes[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }.map { $0 + 1 }
    }

    private static func head(of reply: [UInt8]) -> [UInt8] { endOfHead(reply).map { Array(reply[..<$0]) } ?? reply }

    private static func lines(_ head: ArraySlice<UInt8>) -> [String] {
        head.split(separator: 10).map { String(decoding: $0.last == 13 ? $0.dropLast() : $0, as: UTF8.self) }
            .filter { !$0.isEmpty }
    }

    private static func header(_ line: String) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        return (line[..<colon].lowercased(), String(value))
    }
}
