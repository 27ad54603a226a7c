import FoundationEssentials
import Glibc

@testable import PinpostTesting

/// One recorded exchange with a real Pinry.
struct ContractRecording: Decodable, Sendable {
    let group: String
    let name: String
    let method: String
    let path: String
    let auth: String?
    let requestBody: String?
    let statusChain: [Int]
    let status: Int
    let contentType: String?
    let challenge: String?
    let location: String?
    let allow: String?
    let body: String?

    enum CodingKeys: String, CodingKey {
        case group, name, method, path, auth, status, location, allow, body
        case requestBody = "request_body"
        case statusChain = "status_chain"
        case contentType = "content_type"
        case challenge = "www_authenticate"
    }

    var id: String { "\(group)/\(name)" }
    /// The leading number of the group: the order in which they were recorded.
    var order: Int { Int(group.prefix { $0 != "-" }) ?? 0 }

    static let file = "\(ProcessInfo.processInfo.environment["PINPOST_SHARED"] ?? "../shared")/pinry/contract.jsonl"

    static let all: [ContractRecording] = {
        guard let data = FileManager.default.contents(atPath: file) else { return [] }
        let rows = data.split(separator: 10).compactMap { try? JSONDecoder().decode(ContractRecording.self, from: $0) }
        return rows.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element)
    }()
}

/// The bytes of a request and of its answer, without a library in between that would tidy them up.
struct RawExchange {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: String

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    init?(_ request: [UInt8], to port: Int) {
        guard let answer = Self.send(request, to: port) else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0
        headers = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? (parts[0].lowercased(), String(parts[1].drop { $0 == " " })) : nil
        }
        body = String(text[end.upperBound...])
    }

    /// Blocks until the server closes.
    private static func send(_ request: [UInt8], to port: Int) -> [UInt8]? {
        let connection = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(connection) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected, Socket.write(request, to: connection) else { return nil }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = recv(connection, &chunk, chunk.count, 0)
            if count <= 0 { return answer }
            answer += chunk[..<count]
        }
    }
}
