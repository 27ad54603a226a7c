import PinpostCore
import Testing

@testable import Hooks

@Suite("A damaged payload", .timeLimit(.minutes(10)))
struct MutationTests {
    static let seeds: [(String, String)] = [
        (
            "application/json",
            #"{"items":[{"image":{"base64":"\#(TinyPNG.base64)","filename":"a.png"}},"#
                + #"{"url":"https://a.example/\u00e4\ud83d\ude00","tags":["x"],"private":true}],"n":[1.5e3,null]}"#
        ),
        (
            "application/x-www-form-urlencoded",
            "url=https%3A%2F%2Fa.example&image=\(TinyPNG.base64)&tags=a%2Cb&private=1"
        ),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\n\r\n\u{89}PNG\r\n\r\n--b\r\n"
                + "Content-Disposition: form-data; name=\"url\"\r\n\r\nhttps://a.example/\r\n--b--\r\n"
        ),
        ("text/plain", "Look https://a.example/ and <https://b.example/x> #tag\nboard: Trips\n"),
    ]

    @Test("ends in a result or a described error, and leaves no picture behind", arguments: seeds)
    func mutations(_ type: String, _ text: String) throws {
        var random = SplitMix(seed: 20_250_601)
        let seed = Array(text.utf8)
        var outcomes: Set<String> = []
        for _ in 0..<1_000 {
            let body = Self.mutate(seed, using: &random)
            let blobs = KeepingBlobs()
            do {
                let content = try read(body, as: type, into: blobs, pieces: Int.random(in: 1...64, using: &random))
                #expect(!content.items.isEmpty)
                #expect(blobs.count == content.pictures.count)
                outcomes.insert("read")
            } catch {
                #expect(!error.detail.isEmpty)
                #expect(blobs.count == 0)
                outcomes.insert(error.code.rawValue)
            }
        }
        #expect(outcomes.count > 1, "the damage never mattered: \(outcomes)")
    }

    /// Changes, removes, doubles or inserts up to four places; what is inserted is what parsers care about.
    static func mutate(_ seed: [UInt8], using random: inout SplitMix) -> [UInt8] {
        var body = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<max(body.count, 1), using: &random)
            let end = min(body.count, place + Int.random(in: 0...16, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: body[place..<end] = []
            case 1: body.insert(contentsOf: body[place..<end], at: place)
            case 2 where place < body.count: body[place] = UInt8.random(in: .min ... .max, using: &random)
            default:
                let special = Array("\"\\{}[],:\r\n-%=&;+/\u{0}u".utf8)
                body.insert(special[Int.random(in: 0..<special.count, using: &random)], at: min(place, body.count))
            }
            if body.isEmpty { body = [0] }
        }
        return body
    }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
