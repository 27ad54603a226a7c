import FoundationEssentials
import PinpostCore
import Testing

@testable import Hooks

/// A request as a provider sends it.
struct SampleRequest {
    var method = "POST"
    var path: [String] = []
    var query: [(name: String, value: String)] = []
    /// Names in lower case.
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]
    var url: String?

    init(json: String, headers: [(name: String, value: String)] = [("content-type", "application/json")]) {
        self.headers = headers
        body = Array(json.utf8)
    }

    init(_ body: [UInt8], type: String?) {
        headers = type.map { [("content-type", $0)] } ?? []
        self.body = body
    }

    init(form fields: [(name: String, value: String)]) {
        headers = [("content-type", "application/x-www-form-urlencoded")]
        body = Array(FormText.encoded(fields).utf8)
    }

    /// A file of the samples: a body in JSON, or a whole request.
    init(sample file: String) throws {
        let bytes = try contents(of: Samples.folder + "/" + file)
        guard file.hasSuffix(".http") else {
            self.init(bytes, type: "application/json")
            return
        }
        let end = try #require((0..<(bytes.count - 3)).first { bytes[$0..<($0 + 4)].elementsEqual("\r\n\r\n".utf8) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        self.init(Array(bytes[(end + 4)...]), type: nil)
        method = String(lines[0].prefix { $0 != " " })
        let target = lines[0].split(separator: " ")[1]
        path = target.prefix { $0 != "?" }.split(separator: "/").dropFirst(3).map(String.init)
        query = FormFields(Array(target.drop { $0 != "?" }.dropFirst().utf8)).map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), String(parts[1]).trimmed)
        }
    }

    func with(_ name: String, _ value: String) -> SampleRequest {
        var request = self
        request.headers.removeAll { $0.name == name }
        request.headers.append((name, value))
        return request
    }
}

/// Builds the body of a multipart form.
struct MultipartForm {
    private(set) var bytes: [UInt8] = []

    var request: SampleRequest {
        SampleRequest(bytes + Array("--bb--\r\n".utf8), type: "multipart/form-data; boundary=bb")
    }

    func text(_ name: String, _ value: String) -> MultipartForm { text(name, Array(value.utf8)) }

    func text(_ name: String, _ value: [UInt8]) -> MultipartForm { adding("name=\"\(name)\"", value) }

    func file(
        _ name: String, _ fileName: String, _ content: [UInt8] = TinyPNG.bytes, type: String = "image/png"
    ) -> MultipartForm {
        adding("name=\"\(name)\"; filename=\"\(fileName)\"\r\nContent-Type: \(type)", content)
    }

    private func adding(_ head: String, _ content: [UInt8]) -> MultipartForm {
        var form = self
        form.bytes += Array("--bb\r\nContent-Disposition: form-data; \(head)\r\n\r\n".utf8) + content
        form.bytes += Array("\r\n".utf8)
        return form
    }
}

/// A directory that knows one hook and nothing else.
struct OneHook: TenantDirectory {
    let hook: Hook

    func hook(_ id: Hook.ID) -> Hook? { id == hook.id ? hook : nil }
    func noteUse(of _: Hook.ID, at _: Date) {}
    func tenant(_: Tenant.ID) -> Tenant? { nil }
    func server(_: Server.ID) -> Server? { nil }
    func address(tokenHash _: [UInt8], now _: Date) -> Address? { nil }
    func address(_: Address.ID, of _: Tenant.ID) -> Address? { nil }
    func senderAddresses(now _: Date) -> [Address] { [] }
    func boards(of _: Tenant.ID) -> (boards: [Board], readAt: Date)? { nil }
    func remember(_: [Board], of _: Tenant.ID, readAt _: Date) {}
}
