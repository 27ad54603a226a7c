import CurlKit
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@Suite("Proxies of the environment", .timeLimit(.minutes(10)))
struct EnvironmentProxyTests {
    /// In a process of its own: the environment belongs to all threads, and libcurl reads it when it connects.
    @Test("nobody asks them: neither links nor Pinry nor providers nor mail")
    func ignored() async {
        await #expect(processExitsWith: .success) {
            let proxy = try LoopbackServer { _ in LoopbackServer.Reply(200, body: Array("proxy".utf8)) }
            for scheme in ["http", "https", "all", "smtp", "smtps", "imap", "imaps"] {
                setenv("\(scheme)_proxy", proxy.url, 1)
                setenv("\(scheme.uppercased())_PROXY", proxy.url, 1)
            }
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }

            let server = try LoopbackServer { _ in LoopbackServer.Reply(200, body: Array("server".utf8)) }
            let closed = try LoopbackServer { _ in LoopbackServer.Reply(200) }
            closed.stop()
            let exceptions = Set([server, closed].compactMap { AddressPolicy.Exception("127.0.0.1:\($0.port)") })
            let client = try HTTPClient(HTTPClient.Settings(exceptions: exceptions))
            let pinry = Server(id: Server.ID("one"), baseURL: server.url, allowsPrivateNetwork: true)
            for egress in [EgressClass.message, .pinry(pinry), .provider(host: "127.0.0.1")] {
                #expect(try await client.send(HTTPRequest(url: server.url), as: egress).body == Array("server".utf8))
                await #expect(throws: HTTPExchangeError.self) {
                    try await client.send(HTTPRequest(url: "https://127.0.0.1:\(closed.port)/"), as: egress)
                }
            }

            let target = StreamTarget(host: "127.0.0.1", port: closed.port, encryption: .none)
            let login = StreamLogin.password(user: "ada", Secret(copying: Array("s3cret".utf8)))
            #expect(throws: StreamError.self) { try CurlStream(to: target, as: login, alarm: StreamAlarm()) }
            let recipient = try #require(MailAddress("ada@example.org"))
            let mail = SMTPClient(target, name: "pins.example.org", pool: BlockingPool(width: 1))
            await #expect(throws: SMTPError.self) { try await mail.send([], to: recipient, as: login) }
            #expect(proxy.connections == 0)
        }
    }
}
