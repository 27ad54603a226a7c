import PinpostCore
import Testing

@testable import Mail

@Suite("Pictures of a sender's every mail")
struct PictureHabitTests {
    private static let banner = base64(TestGIF.bytes(width: 600, height: 200))
    private static let photo = base64(TestGIF.bytes(width: 640, height: 480))

    /// A mail whose HTML shows the banner, with more parts.
    private func mail(from sender: String = "Ada <ada@example.net>", text: String = "words", with more: String = "")
        -> [UInt8]
    {
        Array(
            """
            From: \(sender)
            Content-Type: multipart/related; boundary=b

            --b
            Content-Type: text/html

            <p>\(text)</p><img src="cid:banner@x">
            --b
            Content-Type: image/gif; name=banner.gif
            Content-Disposition: inline
            Content-ID: <banner@x>
            Content-Transfer-Encoding: base64

            \(String(decoding: Self.banner, as: UTF8.self))
            \(more)
            --b--
            """.utf8)
    }

    private static let attached = """
        --b
        Content-Type: image/gif; name=photo.gif
        Content-Disposition: attachment
        Content-Transfer-Encoding: base64

        \(String(decoding: photo, as: UTF8.self))
        """

    private func names(_ mail: [UInt8], usual: Set<[UInt8]>) throws -> [String?] {
        let content = try MailReader().read(MemoryReader(mail), into: MeasuringBlobStore(), usual: usual)
        return content.items.map { item in
            switch item.kind {
            case .image(let image): image.name
            case .link(let link): link.url
            case .media: nil
            }
        }
    }

    @Test("are left out beside another picture or a link, never alone, and never as another sender's")
    func rules() throws {
        let habit = Set(try read(mail(with: Self.attached)).layoutPictures)
        #expect(habit.count == 1)
        #expect(try names(mail(with: Self.attached), usual: []) == ["banner.gif", "photo.gif"])
        #expect(try names(mail(with: Self.attached), usual: habit) == ["photo.gif"])
        #expect(try names(mail(text: "https://example.org/x"), usual: habit) == ["https://example.org/x"])
        #expect(try names(mail(), usual: habit) == ["banner.gif"])
        #expect(try names(mail(from: "ADA@example.NET", with: Self.attached), usual: habit) == ["photo.gif"])
        #expect(try names(mail(from: "bob@example.net", with: Self.attached), usual: habit).count == 2)
    }

    @Test("what somebody attached is no layout, however often he sends it")
    func attachment() throws {
        let content = try read(mail(with: Self.attached))
        #expect(content.layoutPictures.count == 1)
        let photo = PictureHabit(sender: "ada@example.net").key(of: try #require(content.images.last?.bytes))
        #expect(try names(mail(with: Self.attached), usual: [photo]) == ["banner.gif", "photo.gif"])
    }
}

private enum TestGIF {
    static func bytes(width: Int, height: Int) -> [UInt8] {
        let size = [UInt8(width & 0xFF), UInt8(width >> 8), UInt8(height & 0xFF), UInt8(height >> 8)]
        return Array("GIF89a".utf8) + size + [0, 0, 0, 0x2C, 0, 0, 0, 0] + size + [0, 2, 2, 0x4C, 1, 0, 0x3B]
    }
}
