import Administration
import PinpostCore
import Testing

@Suite("Choosing another picture")
struct RepinTests {
    @Test("a choice is a number from 1 or an address, and nothing else")
    func choices() {
        #expect(PictureChoice("3") == .number(3))
        #expect(PictureChoice("HTTPS://example.com/a.png") == .address("HTTPS://example.com/a.png"))
        for text in ["0", "-1", "1.5", "", "file:///etc/passwd", "example.com/a.png", "99999999999999999999"] {
            #expect(PictureChoice(text) == nil, "\(text)")
        }
    }

    @Test("an item that nobody knows is said to be unknown")
    func unknown() async throws {
        try await Office.open { office in
            try await office.addAda()
            for rehearsal in [true, false] {
                let error = await #expect(throws: AdministrationError.self) {
                    try await office.administration.repin(item: "nobody", with: .number(1), rehearsal: rehearsal)
                }
                #expect(error?.description.contains("nobody") == true)
            }
        }
    }
}
