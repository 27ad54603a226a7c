import Cryptography
import FoundationEssentials
import Glibc
import PinpostCore
import PinpostTesting
import Testing

@Suite("The key ring")
struct KeyRingTests {
    /// Runs `body` with a folder that is removed afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try TestFolder("keys")
        try withExtendedLifetime(folder) { try body(folder.path) }
    }

    private func write(_ text: String, to path: String, mode: mode_t = 0o600) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        try #require(file >= 0)
        #expect(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
        fchmod(file, mode)
        close(file)
    }

    private func load(_ sources: KeySources, checkValues: [String: [UInt8]] = [:]) throws -> LoadedKeyRing {
        var random = SystemRandom()
        return try KeyRing.load(from: sources, checkValues: checkValues, needed: Set(checkValues.keys), using: &random)
    }

    private func code(_ sources: KeySources, checkValues: [String: [UInt8]] = [:]) -> VaultError? {
        #expect(throws: VaultError.self) { try load(sources, checkValues: checkValues) }
    }

    @Test("is looked for in the named file, the credential, the data folder, the environment, in that order")
    func order() throws {
        try withFolder { folder in
            mkdir("\(folder)/credentials", 0o700)
            try write("k1 \(keyText("k1"))\n", to: "\(folder)/named")
            try write("k2 \(keyText("k2"))\n", to: "\(folder)/credentials/master-keys")
            try write("k3 \(keyText("k3"))\n", to: "\(folder)/master-keys")
            var sources = KeySources(
                file: "\(folder)/named", credentialsFolder: "\(folder)/credentials", dataFolder: folder,
                environment: Secret(copying: Array("k4 \(keyText("k4"))".utf8)))
            #expect(try load(sources).ring.current.id == "k1")
            #expect(try load(sources).notice == nil)
            sources.file = nil
            #expect(try load(sources).ring.current.id == "k2")
            sources.credentialsFolder = nil
            #expect(try load(sources).ring.current.id == "k3")
            unlink("\(folder)/master-keys")
            let last = try load(sources)
            #expect(last.ring.current.id == "k4")
            #expect(last.origin == .environment)
            #expect(last.notice != nil)
        }
    }

    @Test("is made once, for a store without any check value, readable by us alone")
    func creation() throws {
        try withFolder { folder in
            let sources = KeySources(dataFolder: folder)
            let made = try load(sources)
            #expect(made.origin == .created("\(folder)/master-keys"))
            #expect(made.notice?.contains("\(folder)/master-keys") == true)
            var facts = stat()
            #expect(stat("\(folder)/master-keys", &facts) == 0)
            #expect(facts.st_mode & 0o777 == 0o600)
            let again = try load(sources, checkValues: ["k1": made.ring.current.checkValue])
            #expect(again.origin == .file("\(folder)/master-keys"))
            #expect(again.ring.unknown(to: ["k1": []]).isEmpty)
            #expect(again.ring.unknown(to: [:]).map(\.id) == ["k1"])
        }
    }

    @Test("is never made for a store that has a key: the error names the key, and no file appears")
    func missing() throws {
        try withFolder { folder in
            let error = code(KeySources(dataFolder: folder), checkValues: ["k7": [1, 2, 3, 4, 5, 6, 7, 8]])
            #expect(error?.code == .keyMissing)
            #expect(error?.detail.contains("k7") == true)
            #expect(access("\(folder)/master-keys", F_OK) != 0)
        }
    }

    @Test("has to hold the keys of the store, and the same ones")
    func checkValues() throws {
        let ring = try ring("k1 k2")
        let values = Dictionary(uniqueKeysWithValues: ring.keys.map { ($0.id, $0.checkValue) })
        #expect(values.values.allSatisfy { $0.count == 8 })
        try ring.verify(against: values, needed: Set(values.keys))
        let wrong = #expect(throws: VaultError.self) {
            try ring.verify(against: ["k2": values["k1"] ?? []], needed: [])
        }
        #expect(wrong?.code == .keyWrong)
        #expect(wrong?.detail.contains("k2") == true)
        let missing = #expect(throws: VaultError.self) {
            try ring.verify(against: ["k1": values["k1"] ?? [], "k3": []], needed: ["k3"])
        }
        #expect(missing?.code == .keyMissing)
        #expect(missing?.detail.contains("k3") == true)
        // A key that was tried and taken away again before it sealed anything.
        try ring.verify(against: ["k1": values["k1"] ?? [], "k3": []], needed: ["k1"])
    }

    @Test("refuses a file that others can read", arguments: [mode_t(0o640), 0o604, 0o660, 0o644])
    func openFile(_ mode: mode_t) throws {
        try withFolder { folder in
            try write("k1 \(keyText("k1"))\n", to: "\(folder)/master-keys", mode: mode)
            let error = code(KeySources(dataFolder: folder))
            #expect(error?.code == .keyFile)
            #expect(error?.detail.contains("chmod 600") == true)
        }
    }

    @Test("refuses a file of another user", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func foreignFile() throws {
        try withFolder { folder in
            try write("k1 \(keyText("k1"))\n", to: "\(folder)/master-keys")
            #expect(chown("\(folder)/master-keys", 12_345, 0) == 0)
            let error = code(KeySources(dataFolder: folder))
            #expect(error?.code == .keyFile)
            #expect(error?.detail.contains("chown") == true)
        }
    }

    @Test("reads comments, tabs and carriage returns; the first key is the current one")
    func form() throws {
        try withFolder { folder in
            let text = "# two keys\r\n\n  k9\t\(keyText("k9"))\r\nk1 \(keyText("k1"))"
            try write(text, to: "\(folder)/master-keys")
            let ring = try load(KeySources(dataFolder: folder)).ring
            #expect(ring.keys.map(\.id) == ["k9", "k1"])
            #expect(ring.current.secret.withBytes { Array($0) } == SHA256.hash("k9"))
        }
    }

    @Test(
        "says which line is wrong, and never what it holds",
        arguments: [
            "", "# nothing", "k1", "k1 short", "1 \(keyText("x"))", "k1 \(keyText("x")) more", "k-1 \(keyText("x"))",
            "k1 \(keyText("x").dropLast())", "k1 ====\(keyText("x").dropFirst(4))",
            "k1 \(keyText("x"))\nk1 \(keyText("y"))",
        ])
    func malformed(_ text: String) throws {
        try withFolder { folder in
            try write(text, to: "\(folder)/master-keys")
            let error = code(KeySources(dataFolder: folder))
            #expect(error?.code == .keyFile)
            #expect(error?.detail.contains(keyText("x").prefix(20)) == false)
        }
    }

    @Test("a folder in the place of the file is refused")
    func folderInPlace() throws {
        try withFolder { folder in
            mkdir("\(folder)/master-keys", 0o700)
            #expect(code(KeySources(dataFolder: folder))?.code == .keyFile)
        }
    }
}
