import PinpostCore
import Testing

@Suite("Default descriptions and slugs")
struct DefaultDescriptionTests {
    @Test(
        "the host is what stands between scheme and path",
        arguments: [
            ("https://example.org/a", "example.org"), ("http://example.org:8080", "example.org"),
            ("https://user:word@example.org/", "example.org"), ("https://[::1]:80/x", "[::1]"),
            ("https://example.org?q#f", "example.org"), ("nonsense", "nonsense"), ("https://", ""),
        ])
    func host(url: String, host: String) {
        #expect(DefaultDescription.host(of: url) == host)
    }

    @Test(
        "a board's slug has letters, digits and single hyphens",
        arguments: [
            ("Trips", "trips"), ("Summer Trips!", "summer-trips"), ("  a -- b  ", "a-b"), ("Ünïcode 2", "ünïcode-2"),
            ("!!!", ""),
        ])
    func slug(name: String, slug: String) {
        #expect(BoardSlug.make(from: name) == slug)
    }

    @Test(
        "a tenant's slug is a DNS label",
        arguments: [
            ("ada", true), ("a-1", true), (String(repeating: "a", count: 63), true), ("", false), ("-a", false),
            ("a-", false), ("Ada", false), ("a.b", false), ("ä", false), (String(repeating: "a", count: 64), false),
        ])
    func tenantSlug(slug: String, isValid: Bool) {
        #expect(Tenant.isValid(slug: slug) == isValid)
    }
}
