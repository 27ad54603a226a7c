import Mail
import PinpostCore
import PinpostTesting
import StoreSQLite
import Testing

@Suite(
    "Mail on a full disk", .enabled(if: SmallDisk.isAvailable, "only root may mount a small disk"),
    .timeLimit(.minutes(10)))
struct FullDiskTests {
    private func withDisk(_ body: (SmallDisk) async throws -> Void) async throws {
        let disk = try SmallDisk(mebibytes: 8)
        defer { disk.remove() }
        try await body(disk)
    }

    /// Of the size of a photo.
    private static func mail(_ number: Int, bytes: Int = 200_000) -> String {
        let line = String(repeating: "x", count: 76) + "\r\n"
        return "From: a@b\r\nMessage-ID: <\(number)@x>\r\nSubject: \(number)\r\n\r\n"
            + String(repeating: line, count: bytes / line.utf8.count)
    }

    @Test("LMTP answers 451 until there is room again, and has every mail that it answered with 250")
    func lmtp() async throws {
        try await withDisk { disk in
            try await LMTPStage.open(in: disk.folder) { lmtp in
                func deliver(_ number: Int, bytes: Int = 200_000) async throws -> String {
                    let client = try await lmtp.client(for: [lmtp.address])
                    _ = await client.say("DATA")
                    return await client.say(Self.mail(number, bytes: bytes) + ".") ?? "closed"
                }
                #expect(try await deliver(1).hasPrefix("250 "))
                try disk.fill()
                // Large ones meet the spool, small ones the database.
                for number in 2..<6 {
                    #expect(
                        try await deliver(number, bytes: number.isMultiple(of: 2) ? 200_000 : 30_000).hasPrefix(
                            "451 4.3.1 "))
                }
                #expect(try await lmtp.stage.messages(1).count == 1)
                disk.free()
                #expect(try await deliver(2).hasPrefix("250 "))
                #expect(try await deliver(3, bytes: 30_000).hasPrefix("250 "))
                #expect(try await lmtp.stage.messages(3).count == 3)
            }
        }
    }

    @Test("a mailbox rests, nothing in it is flagged, and it goes on by itself", .enabled(if: Dovecot.isAvailable))
    func mailbox() async throws {
        let dovecot = try await Dovecot()
        try await withDisk { disk in
            try await MailboxStage.open(in: disk.folder) { stage in
                let mailbox = try await stage.addMailbox(port: dovecot.port) { $0.afterwards = .delete }
                try disk.fill()
                for number in 0..<3 {
                    let text = "Delivered-To: \(stage.addresses[0])\r\n" + Self.mail(number)
                    dovecot.deliver(Array(text.utf8))
                }
                try await stage.watching {
                    await #expect(throws: (any Error).self) { try await stage.service.look(at: mailbox) }
                    #expect(dovecot.mails().count == 3)
                    #expect(dovecot.mails().allSatisfy { $0.hasSuffix("test") || $0.hasSuffix(":2,") })
                    disk.free()
                    #expect(try await stage.messages(3).count == 3)
                    let health = try await eventually({ $0.lastSuccess != nil }) {
                        try await stage.store.health(of: mailbox.id)
                    }
                    #expect(health.lastError == nil && health.quarantined == 0 && health.stoppedReason == nil)
                }
            }
        }
    }
}
