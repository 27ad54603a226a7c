import Cryptography
import PinpostCore
import Testing

@Suite("Tokens")
struct TokenTests {
    private func text(of secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    @Test("a hook token reads back, and its hash is the SHA-256 of its text")
    func hookToken() throws {
        var random = SystemRandom()
        for _ in 0..<100 {
            let token = HookToken.random(using: &random)
            let text = text(of: token.text)
            #expect(text.hasPrefix("pph_"))
            #expect(text.utf8.count == 4 + 32 + 6)
            #expect(token.hash == SHA256.hash(text))
            #expect(try #require(HookToken.presented(text)).hash == token.hash)
        }
    }

    @Test("a hook token with any changed, missing or added character is none")
    func wrongHookToken() {
        var random = SystemRandom()
        let text = text(of: HookToken.random(using: &random).text)
        for index in text.indices {
            var characters = Array(text)
            let place = text.distance(from: text.startIndex, to: index)
            characters[place] = characters[place] == "a" ? "b" : "a"
            #expect(HookToken.presented(String(characters)) == nil)
        }
        #expect(HookToken.presented(text.uppercased()) == nil)
        #expect(HookToken.presented(text.dropLast()) == nil)
        #expect(HookToken.presented(text + "a") == nil)
        #expect(HookToken.presented(" " + text) == nil)
        #expect(HookToken.presented("") == nil)
        #expect(HookToken.presented(String(repeating: "pph_", count: 1_000)) == nil)
    }

    @Test("a hook token matches one of its hook's hashes, never those of an unknown hook")
    func matching() throws {
        var random = SystemRandom()
        let (first, second) = (HookToken.random(using: &random), HookToken.random(using: &random))
        let presented = try #require(HookToken.presented(text(of: first.text)))
        #expect(presented.matches([first.hash]))
        #expect(presented.matches([second.hash, first.hash]))
        #expect(!presented.matches([second.hash]))
        #expect(!presented.matches([]))
    }

    @Test("an address token reads back in either case, and its hash is that of the lower-case text")
    func addressToken() throws {
        var random = SystemRandom()
        for _ in 0..<100 {
            let token = AddressToken.random(using: &random)
            let text = text(of: token.text)
            #expect(text.utf8.count == AddressToken.length)
            #expect(text == text.lowercased())
            #expect(try #require(AddressToken(text.uppercased())).hash == SHA256.hash(text))
            #expect(try #require(AddressToken(text)).hash == token.hash)
        }
    }

    @Test("typing errors in an address are noticed, but for one in a thousand")
    func typingErrors() {
        var random = SystemRandom()
        var unnoticed = 0
        for _ in 0..<2_000 {
            var characters = Array(text(of: AddressToken.random(using: &random).text))
            let place = Int.random(in: characters.indices, using: &random)
            characters[place] = characters[place] == "q" ? "m" : "q"
            if AddressToken(String(characters)) != nil { unnoticed += 1 }
        }
        #expect(unnoticed < 20)
        #expect(AddressToken("") == nil)
        #expect(AddressToken(String(repeating: "a", count: 28)) == nil)
        #expect(AddressToken(String(repeating: "é", count: 28)) == nil)
    }
}
