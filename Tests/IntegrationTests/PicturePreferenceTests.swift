import FoundationEssentials
import PinpostCore
import StoreSQLite
import Testing

@Suite("What tenants want of their pictures", .timeLimit(.minutes(10)))
struct PicturePreferenceTests {
    private static let fixture =
        "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Fixtures/images/photo.heic"
    private static let camera = Array("Pinpost test camera".utf8)

    @Test("the camera stays in the picture only for a tenant who wants it", arguments: [nil, false, true] as [Bool?])
    func keepsCamera(_ wish: Bool?) async throws {
        let photo = Array(try Data(contentsOf: URL(filePath: Self.fixture)))
        try #require(photo.contains(Self.camera))
        try await DeliveryStage.open(converter: RealConverter.make) { stage in
            var tenant = stage.tenant
            tenant.preferences.keepsCamera = wish
            try await stage.store.update(tenant, on: stage.server)
            let id = try await stage.enqueue([photo])[0]
            try await stage.work(on: id, until: .upload)
            let picture = try #require(try await stage.item(id).facts.picture)
            let reader = try stage.store.open(picture.bytes)
            let sent = try reader.read(upTo: picture.bytes.count)
            #expect(picture.type == .jpeg && sent.count == picture.bytes.count)
            #expect(sent.contains(Self.camera) == (wish == true))
            try await stage.work()
            #expect(try await stage.item(id).state == .done)
        }
    }
}
