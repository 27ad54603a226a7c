import Testing
import PinpostCore
@Test func x() async throws {
    print(CommandLine.arguments)
    print(Workshop.executables)
    let p = try await Workshop.convert(#require(Workshop.sample("phone/classic-car.heic")))
    print(p.shape, p.original as Any, p.actions)
    for f in ["magic/fixture.jpg","magic/fixture.webp","magic/fixture.png","magic/fixture-itxt.png","crafted/ios18like.heic","jpeg-orientation/Landscape_7.jpg"] {
        do {
            let p = try await Workshop.convert(#require(Workshop.sample(f)))
            print(f, p.shape, p.original as Any, p.actions)
        } catch { print(f, error) }
    }
}
