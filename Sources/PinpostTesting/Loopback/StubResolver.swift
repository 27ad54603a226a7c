import Glibc
import PinpostCore
import Synchronization

/// A name server on 127.0.0.1 whose answers change from question to question: how rebinding is tested.
public final class StubResolver: Sendable {
    /// Answers by name, one for each question in turn; the last one is given from then on.
    public typealias Zone = [String: [[String]]]

    private let zone: Zone
    private let descriptor: CInt
    private let stopSignal: StopSignal
    private let asked = Mutex<[String: Int]>([:])

    /// Listens on `port`; other ports than 53 no resolver asks.
    public init(port: Int = 53, _ zone: Zone) throws(LoopbackError) {
        self.zone = zone
        stopSignal = try StopSignal()
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isBound else { throw LoopbackError("port \(port) cannot be used: \(String(cString: strerror(errno)))") }
        startThread { [weak self, stopSignal] in
            while Socket.waitReadable(descriptor, orUntil: stopSignal) { self?.answerOne() }
            close(descriptor)
        }
    }

    deinit { stop() }

    public func stop() { stopSignal.fire() }

    /// How often the IPv4 address of a name was asked for.
    public func questions(about name: String) -> Int { asked.withLock { $0[name] ?? 0 } }

    private func answerOne() {
        var request = [UInt8](repeating: 0, count: 512)
        var peer = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let count = withUnsafeMutablePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                recvfrom(descriptor, &request, request.count, 0, $0, &size)
            }
        }
        guard count > 12, let reply = reply(to: Array(request[..<count])) else { return }
        _ = withUnsafePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, reply, reply.count, 0, $0, size)
            }
        }
    }

    /// RFC 1035, section 4: the question once more, then what the zone says, good for no time at all.
    private func reply(to request: [UInt8]) -> [UInt8]? {
        var position = 12
        var labels: [String] = []
        while position < request.count, request[position] != 0 {
            let end = position + 1 + Int(request[position])
            guard end < request.count else { return nil }
            labels.append(String(decoding: request[(position + 1)..<end], as: UTF8.self))
            position = end
        }
        guard position + 5 <= request.count else { return nil }
        let (question, type) = (request[12..<(position + 5)], request[position + 2])
        let records = answers(for: labels.joined(separator: ".").lowercased(), type: type).map { address in
            [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, UInt8(address.count)] + address
        }
        let head: [UInt8] = [0x85, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        return request[..<2] + head + question + records.joined()
    }

    private func answers(for name: String, type: UInt8) -> [[UInt8]] {
        guard let turns = zone[name], !turns.isEmpty, type == 1 else { return [] }
        let turn = asked.withLock { asked in
            defer { asked[name, default: 0] += 1 }
            return min(asked[name] ?? 0, turns.count - 1)
        }
        return turns[turn].map { $0.split(separator: ".").compactMap { UInt8($0) } }
    }
}
