import CurlKit
import PinpostCore
import PinpostTesting
import Testing

/// Whom a connection trusts.
@Suite("TLS", .timeLimit(.minutes(10)), .enabled(if: TLSServer.isAvailable, "the openssl command is missing"))
struct TLSTests {
    private func send(to tls: TLSServer, trusting pem: String?) async throws -> HTTPResponse {
        let server = Server(id: Server.ID("s"), baseURL: tls.url, allowsPrivateNetwork: true, caPEM: pem)
        return try await HTTPClient().send(HTTPRequest(url: "\(tls.url)/"), as: .pinry(server))
    }

    @Test("a self-signed certificate is refused by name, and trusted where the admin gave it")
    func selfSigned() async throws {
        let tls = try TLSServer()
        let error = await #expect(throws: HTTPExchangeError.self) { try await send(to: tls, trusting: nil) }
        #expect(error?.code == .tlsFailed && error?.mayHaveArrived == false)
        #expect(error?.detail.contains("self-signed certificate") == true)
        #expect(try await send(to: tls, trusting: tls.certificatePEM).status == 200)
    }

    @Test("one server's authority is not trusted for another server")
    func otherServer() async throws {
        let (trusted, other) = (try TLSServer(), try TLSServer())
        let client = try HTTPClient()
        func egress(_ tls: TLSServer, _ id: String, _ pem: String?) -> EgressClass {
            .pinry(Server(id: Server.ID(id), baseURL: tls.url, allowsPrivateNetwork: true, caPEM: pem))
        }
        let pem = trusted.certificatePEM
        #expect(try await client.send(HTTPRequest(url: trusted.url), as: egress(trusted, "a", pem)).status == 200)
        for (tls, id, pem) in [(other, "b", pem), (trusted, "c", nil)] {
            let error = await #expect(throws: HTTPExchangeError.self) {
                try await client.send(HTTPRequest(url: tls.url), as: egress(tls, id, pem))
            }
            #expect(error?.code == .tlsFailed)
        }
    }

    @Test("a certificate for another name is refused although its maker is trusted")
    func otherName() async throws {
        let tls = try TLSServer(name: "DNS:elsewhere.example")
        let error = await #expect(throws: HTTPExchangeError.self) {
            try await send(to: tls, trusting: tls.certificatePEM)
        }
        #expect(error?.code == .tlsFailed && error?.detail.contains("certificate") == true)
    }
}
