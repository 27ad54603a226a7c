import Administration
import PinpostCore
import Testing

@testable import PinpostApp

@Suite("Failures")
struct FailureTests {
    @Test("every failure of Pinry, store, vault and pictures has a stable code and an exit code of its own kind")
    func codes() {
        let failures =
            PinryError.Code.allCases.map { Failure(PinryError($0)) }
            + StoreError.Code.allCases.map { Failure(StoreError($0)) }
            + VaultError.Code.allCases.map { Failure(VaultError($0, "why")) }
            + MediaError.Code.allCases.map { Failure(MediaError($0, "why")) }
        for failure in failures {
            #expect(failure.exit != .done && failure.exit != .usage || failure.code == "missing_scheme")
            #expect(failure.code.allSatisfy { $0.isLowercase || $0 == "_" } && !failure.detail.isEmpty)
        }
    }

    @Test("what mends itself is 75", arguments: [StoreError.Code.diskFull, .locked, .unavailable])
    func temporary(_ code: StoreError.Code) {
        #expect(Failure(AdministrationError.store(StoreError(code))).exit == .tryLater)
    }

    @Test(
        "a line for another user is quoted as the shell reads it",
        arguments: [
            ("plain-word_1.x", "plain-word_1.x"), ("two words", "'two words'"), ("it's", "'it'\\''s'"), ("", "''"),
            ("$(x)", "'$(x)'"), ("#tag", "'#tag'"),
        ])
    func quoting(_ word: String, _ quoted: String) {
        #expect(DataOwner.quoted(word) == quoted)
    }
}
