import PinpostCore
import Testing

@testable import CurlKit

@Suite("Egress check")
struct EgressCheckTests {
    /// What both classes refuse, beyond the recorded cases.
    static let refused = [
        "http://user@93.184.216.34/", "http://:@93.184.216.34/", "http://@93.184.216.34/", "http://a:b@c@8.8.8.8/",
        "http://example.com%00/", "http://example.com%0d%0aHost:x/", "http://%31%32%37.0.0.1/", "http://exa\tmple.com/",
        "http://127｡0｡0｡1/", "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "http://①②⑦.⓪.⓪.①/", "http://0000000177.0.0.1/",
        "http://0x7f.0x0.0x0.0x1/", "http://0x7f.1/", "http://017700000001/", "http://127.0.0.1./",
        "http://2130706433./",
        "http://4294967296/", "http://256.256.256.256/", "http://1.2.3.4.5/", "http://0x/", "http://127.0.0.1:80:80/",
        "http://[::1/", "http://::1/", "http://[::ffff:0:127.0.0.1]/", "http://[0:0:0:0:0:0:0:1]/",
        "http://[::1%25lo]/",
        "http://[febf::1]/", "http://[fdff:ffff::1]/", "http://[64:ff9b::8.8.8.8]/", "http://[2002:808:808::1]/",
        "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "http://[2001:20::1]/", "http://[::8.8.8.8]/",
        "http://[fd00:ec2::254]/", "http://169.254.0.1/", "http://168.63.129.16/", "http://198.19.255.255/",
        "http://localhost./", "http://foo.LocalHost./", "http://metadata.google.internal./", "http://metadata.goog/",
        "http://example.com:8 0/", "http://example.com:８０/", "http://example.com:0x50/", "http://example.com:-1/",
        "http:\\\\127.0.0.1\\", "http:/\\127.0.0.1/", "http//93.184.216.34/", "http://", "https://?x", "http://..",
        "http://.example.com/", "http://a..b/", "http://exam<ple.com/", "blob:http://93.184.216.34/x", "about:blank",
    ]
    /// What both allow.
    static let allowed = [
        "http://93.184.216.34/#@127.0.0.1/", "http://93.184.216.34/?@127.0.0.1/", "HTTP://93.184.216.34:80/",
        "http://[2a00:1450:4001:81b::200e]/", "http://[::ffff:1.1.1.1]:8080/", "http://172.15.255.255/",
        "http://172.32.0.1/", "http://198.17.255.255/", "http://198.20.0.0/", "http://128.0.0.1/",
        "http://ok.test./", "https://ok.test:08443/", "http://bücher.test/",
    ]

    private static let check = EgressCheck(known: [
        "ok.test": [NumericAddress("93.184.216.34")].compactMap(\.self),
        "xn--bcher-kva.test": [NumericAddress("93.184.216.34")].compactMap(\.self),
        "two.test": [NumericAddress("93.184.216.34"), NumericAddress("10.0.0.1")].compactMap(\.self),
    ])
    private static let pinry = EgressClass.pinry(Server(id: Server.ID("s"), baseURL: ""))

    @Test("tricks are refused in both classes, with a reason", arguments: refused)
    func refusal(_ url: String) {
        for egress in [.message, Self.pinry] {
            let verdict = Self.check.judge(url, as: egress)
            #expect(!verdict.isAllowed && verdict.reason?.isEmpty == false)
        }
    }

    @Test("ordinary addresses are allowed in both classes", arguments: allowed)
    func allowance(_ url: String) {
        for egress in [.message, Self.pinry] {
            let verdict = Self.check.judge(url, as: egress)
            #expect(verdict.isAllowed && verdict.reason == nil && verdict.addresses.count == 1)
        }
    }

    @Test("one forbidden address of a name is enough, and all are told")
    func twoAddresses() {
        let verdict = Self.check.judge("http://two.test/", as: .message)
        #expect(!verdict.isAllowed && verdict.host == "two.test")
        #expect(verdict.addresses == ["93.184.216.34", "10.0.0.1"])
    }

    @Test("local names and odd ports are a question of the class")
    func classes() {
        for url in ["http://93.184.216.34:81/", "http://93.184.216.34:9000/"] {
            #expect(!Self.check.judge(url, as: .message).isAllowed)
            #expect(Self.check.judge(url, as: Self.pinry).isAllowed)
        }
        for port in [22, 25, 6379, 11_211, 5_432, 6_000] {
            #expect(!Self.check.judge("http://93.184.216.34:\(port)/", as: Self.pinry).isAllowed)
        }
        let own = "https://api.example.test/x"
        let known = EgressCheck(known: ["api.example.test": [NumericAddress("1.1.1.1")].compactMap(\.self)])
        #expect(known.judge(own, as: EgressCheck.provider(of: own)).isAllowed)
    }
}
