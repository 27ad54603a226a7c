import Cryptography
import FoundationEssentials
import PinpostCore
import StoreSQLite
import Testing

@testable import PinpostApp

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test("are well-formed, whatever stands in a label")
    func wellFormed() throws {
        let odd = "a \"b\" \\ c\nd {e=\"f\"} ü"
        let metric = Metric(
            "x_state", .gauge, "Odd \\ and\nlong.",
            [Metric.Sample(labels: [("mailbox", odd), ("state", "new")], 1), Metric.Sample(0.25)])
        let text = try MetricsText(metric.text)
        #expect(text.value("x_state", ["mailbox": odd, "state": "new"]) == 1)
        #expect(text.value("x_state") == 0.25)
        #expect(metric.text.hasPrefix("# HELP x_state Odd \\\\ and\\nlong.\n# TYPE x_state gauge\n"))
    }

    @Test("the reader of this test refuses what is not in the format")
    func strict() {
        for wrong in [
            "a 1\n", "# TYPE a gauge\na 1\n", "# HELP a x\n# TYPE a gauge\na{b=\"c} 1\n",
            "# HELP a x\n# TYPE a gauge\na 1",
            "# HELP a x\n# TYPE a gauge\na 1\na 2\n", "# HELP a x\n# TYPE a gauge\nb 1\n",
            "# HELP a x\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
        ] {
            #expect(throws: MetricsText.Malformed.self, "\(wrong)") { try MetricsText(wrong) }
        }
    }

    @Test("counts add up; the classes of a delay hold those below")
    func meter() throws {
        let meter = Meter()
        for _ in 0..<3 { meter.count(.items, "done") }
        meter.count(.replies, "mail", "unavailable")
        for seconds in [0.5, 1, 45, 1_000_000, -3] { meter.noteDelay(seconds) }
        let text = try MetricsText(meter.metrics.map(\.text).joined())
        #expect(text.value("pinpost_items_total", ["outcome": "done"]) == 3)
        #expect(text.value("pinpost_replies_total", ["way": "mail", "outcome": "unavailable"]) == 1)
        let name = "pinpost_item_duration_seconds"
        #expect(text.value("\(name)_bucket", ["le": "1"]) == 3)
        #expect(text.value("\(name)_bucket", ["le": "60"]) == 4)
        #expect(text.value("\(name)_bucket", ["le": "+Inf"]) == 5)
        #expect(text.value("\(name)_count") == 5)
        #expect(text.families[name]?.kind == "histogram" && text.families["pinpost_items_total"]?.kind == "counter")
    }

    @Test("tell what waits, and how each mailbox is doing, without anybody's address")
    func whole() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let made = try await stage.run("address", "add", "--json")
            let address = try #require(try made.object()["address"]?.text)
            let added = try await stage.run(
                "mailbox", "add", "family", "--host", "imap.example", "--user", "u@example.net", "--password-file", "-",
                "--untested", input: "secret\n")
            #expect(added.exit == .done, "\(added.errors)")
            let composition = try await Composition.open(
                Configuration.read(from: stage.environment), logger: .silent)
            let tenant = try #require(try await composition.store.tenants().first)
            let body = StoredBytes(place: .inline([1]), count: 1, sha256: SHA256.hash("x"))
            for _ in 0..<2 {
                _ = try await composition.sink.accept(
                    ReceivedMessage(
                        id: composition.surroundings.makeID(), tenant: tenant.id, route: .command, source: .mail,
                        deliveryKey: [1], body: body, envelope: Envelope(sender: "ada@example.net"), receivedAt: .now))
            }
            let page = await composition.metrics().map(\.text).joined()
            await composition.close()
            let text = try MetricsText(page)
            #expect(text.value("pinpost_build_info", ["version": Version.current]) == 1)
            #expect(text.value("pinpost_messages_total", ["source": "mail", "result": "new"]) == 1)
            #expect(text.value("pinpost_messages_total", ["source": "mail", "result": "repeat"]) == 1)
            #expect(text.value("pinpost_unread_messages") == 1)
            #expect(text.value("pinpost_waiting_items", ["state": "parked"]) == 0)
            #expect(text.value("pinpost_mailbox_state", ["mailbox": "family", "state": "new"]) == 1)
            #expect(text.value("pinpost_mailbox_state", ["mailbox": "family", "state": "deaf"]) == 0)
            #expect(text.value("pinpost_mailbox_silence_seconds", ["mailbox": "family"]).map { $0 < 60 } == true)
            #expect(text.value("pinpost_mailbox_refused_mails", ["mailbox": "family"]) == 0)
            #expect(text.value("pinpost_disk_free_bytes").map { $0 > 0 } == true)
            for secret in ["ada", "example.net", address, "secret"] { #expect(!page.contains(secret), "\(secret)") }
        }
    }

    @Test("a mailbox that hears nothing is deaf in them")
    func deaf() {
        let now = MailboxHealth.deafAfter + 10
        let health = MailboxHealth(lastSuccess: .init(timeIntervalSince1970: 0))
        #expect(health.state(since: .init(timeIntervalSince1970: 0), now: .init(timeIntervalSince1970: now)) == .deaf)
    }
}
