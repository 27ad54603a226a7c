import FoundationEssentials
import PinpostCore
import PinpostTesting
import Testing

@testable import PinpostApp

@Suite("Administration by command line", .timeLimit(.minutes(10)))
struct AdministrationCommandTests {
    @Test("tenant, address and hook answer scripts with the agreed fields", arguments: Stage.Way.allCases)
    func interfaces(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            let tenant = try await stage.run(
                "tenant", "add", "ada", "--server", stage.pinry.url + "/", "--token-file", "-", "--board", "Trips",
                "--allow-private", "--json", input: "ada-token\n")
            #expect(tenant.exit == .done)
            let fields = try tenant.object()
            #expect(fields["tenant"] == .text("ada") && fields["server"] == .text(stage.pinry.url))
            #expect(fields["username"] == .text("ada") && fields["board"] == .text("Trips"))

            let address = try await stage.run("address", "add", "ada", "--json").object()
            #expect(Set(address.keys).isSuperset(of: ["id", "address", "mode", "expires", "warnings"]))
            #expect(address["address"]?.text?.hasPrefix("pins+") == true)

            let hook = try await stage.run("hook", "add", "ada", "--board", "Trips", "--json").object()
            #expect(Set(hook.keys) == ["id", "url", "token"])
            #expect(hook["url"]?.text == "http://127.0.0.1:8080/v1/hooks/\(hook["id"]?.text ?? "")")
            #expect(hook["token"]?.text?.hasPrefix("pph_") == true)
        }
    }

    @Test("what stays in pictures is set, and shown to people and programs", arguments: Stage.Way.allCases)
    func keepCamera(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            #expect(try await stage.run("tenant", "show", "--json").object()["keep_camera"] == .flag(false))
            for (word, keeps) in [("yes", true), ("no", false)] {
                _ = try await stage.run("tenant", "set", "ada", "--keep-camera", word)
                let report = try await stage.run("tenant", "show", "--json").object()
                #expect(report["keep_camera"] == .flag(keeps) && report["max_upload_bytes"] == .null)
                let text = try await stage.run("tenant", "show").output
                let line = text.split(separator: "\n").first { $0.hasPrefix("keeps camera") }
                #expect(line?.hasSuffix(" \(word)") == true)
            }
            #expect(try await stage.run("tenant", "set", "ada", "--keep-camera", "maybe").exit == .usage)
        }
    }

    @Test("lists are the same beside a daemon and alone")
    func sameAnswers() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            _ = try await stage.run("address", "add", "--label", "phone")
            for words in [
                ["tenant", "list"], ["tenant", "show"], ["address", "list"], ["hook", "list"], ["board", "list"],
                ["pin", "list"], ["message", "list"], ["item", "list"], ["keys", "status"],
            ] {
                for words in [words, words + ["--json"]] {
                    let alone = try await stage.run(words)
                    #expect(alone.exit == .done, "\(words): \(alone.errors)")
                    try await stage.withDaemon {
                        let beside = try await stage.run(words)
                        #expect(beside.output == alone.output, "\(words)")
                    }
                }
            }
        }
    }

    @Test(
        "a wrong value ends in one sentence and its exit code, and stores nothing",
        arguments: [
            (["--server", "pinry.example"], ExitCode.usage, "https://pinry.example"),
            (["--server", "URL"], .wrongData, "--allow-private"),
            (["--server", "URL", "--allow-private", "--board", "Nowhere"], .wrongData, "board"),
            (["--server", "URL/nowhere", "--allow-private"], .wrongData, "Pinry"),
            (["--server", "CLOSED", "--allow-private"], .unavailable, "cannot be reached"),
            (["--server", "URL", "--allow-private", "--ca-file", "/nonexistent"], .usage, "--ca-file"),
        ])
    func wrongValues(_ flags: [String], _ exit: ExitCode, _ part: String) async throws {
        try await Stage.open { stage in
            let stopped = try PinryDouble()
            stopped.stop()
            let flags = flags.map { flag in
                flag == "CLOSED" ? stopped.url : flag.hasPrefix("URL") ? stage.pinry.url + flag.dropFirst(3) : flag
            }
            let outcome = try await stage.run(
                ["tenant", "add", "ada", "--token-file", "-"] + flags, input: Array("ada-token".utf8))
            #expect(outcome.exit == exit, "\(outcome.errors)")
            #expect(outcome.errors.contains(part), "\(outcome.errors)")
            #expect(try await stage.run("tenant", "list", "--json").output == "[]\n")
        }
    }

    @Test("a wrong token is told by exit code and by JSON", arguments: Stage.Way.allCases)
    func wrongToken(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            let outcome = try await stage.run(
                "tenant", "add", "ada", "--server", stage.pinry.url, "--allow-private", "--token-file", "-", "--json",
                input: "wrong-token")
            #expect(outcome.exit == .notAllowed)
            #expect(outcome.output.contains("\"code\":\"token_rejected\""))
            #expect(!(outcome.output + outcome.errors).contains("wrong-token"))
        }
    }

    @Test("removing a tenant needs the name once more", arguments: Stage.Way.allCases)
    func remove(_ way: Stage.Way) async throws {
        try await Stage.open(way) { stage in
            try await stage.addAda()
            #expect(try await stage.run("tenant", "remove", "ada").exit == .usage)
            #expect(try await stage.run("tenant", "remove", "ada", "--confirm", "bob").exit == .usage)
            #expect(try await stage.run("tenant", "remove", "ada", "--dry-run").exit == .done)
            #expect(try await stage.run("tenant", "show", "ada").exit == .done)
            #expect(try await stage.run("tenant", "remove", "ada", "--confirm", "ada").exit == .done)
            #expect(try await stage.run("tenant", "show", "ada").exit == .refused)
        }
    }

    @Test("the token is nowhere in the data folder")
    func sealed() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            let hook = try #require(try await stage.run("hook", "add", "--json").object()["token"]?.text)
            for path in try FileManager.default.subpathsOfDirectory(atPath: "\(stage.folder)/data") {
                guard let bytes = FileManager.default.contents(atPath: "\(stage.folder)/data/\(path)") else { continue }
                for secret in ["ada-token", "YWRhLXRva2Vu", "6164612d746f6b656e", hook] {
                    #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(path)")
                }
            }
        }
    }

    @Test("a missing master key stops everything with 78 and names the key")
    func missingKey() async throws {
        try await Stage.open { stage in
            try await stage.addAda()
            try FileManager.default.removeItem(atPath: "\(stage.folder)/data/master-keys")
            let outcome = try await stage.run("tenant", "list")
            #expect(outcome.exit == .configuration && outcome.errors.contains("k1"))
        }
    }

    @Test("config check prints all problems and ends with 78")
    func configCheck() async throws {
        try await Stage.open { stage in
            let right = try await stage.run("config", "check", "--json")
            #expect(right.exit == .done && right.output.contains("\"problems\":[]"))
            let wrong = try await stage.with(["PINPOST_LISTEN": "x", "PINPOST_LISTN": "y"]).run("config", "check")
            #expect(wrong.exit == .configuration)
            #expect(wrong.output.split(separator: "\n").count == 2)
            let other = try await stage.with(["PINPOST_LISTEN": "x"]).run("tenant", "list")
            #expect(other.exit == .configuration && other.errors.contains("PINPOST_LISTEN"))
        }
    }

    @Test("config check looks at the folders and the key file as well")
    func configCheckFiles() async throws {
        try await Stage.open { stage in
            let nowhere = try await stage.with(["PINPOST_DATA": "\(stage.folder)/a/b"]).run("config", "check")
            #expect(nowhere.exit == .configuration && nowhere.output.contains("\(stage.folder)/a"))
            let keys = "\(stage.folder)/keys"
            try #require(FileManager.default.createFile(atPath: keys, contents: nil))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keys)
            let open = try await stage.with(["PINPOST_MASTER_KEYS_FILE": keys]).run("config", "check")
            #expect(open.exit == .configuration && open.output.contains("chmod 600"))
            let mail = ["PINPOST_SMTP_URL": "smtps://mail.example.org", "PINPOST_SMTP_USER": "pins"]
            for (file, problem) in [("\(stage.folder)/none", "cannot be read"), (keys, "is empty")] {
                let secret = mail.merging(["PINPOST_SMTP_PASSWORD_FILE": file]) { $1 }
                let outcome = try await stage.with(secret).run("config", "check")
                #expect(outcome.exit == .configuration && outcome.output.contains("\(file) \(problem)"))
            }
        }
    }
}
