import Cryptography
import Glibc

/// Looks at the files that the settings name, without making any.
struct FileCheck {
    let configuration: Configuration

    var problems: [ConfigurationProblems.Problem] {
        [
            dataFolder, keyFile, file(.smtpPasswordFile, configuration.outgoing?.passwordFile, isSecret: true),
            file(.smtpCAFile, configuration.outgoing?.caFile, isSecret: false),
        ].compactMap(\.self)
    }

    private var dataFolder: ConfigurationProblems.Problem? {
        let folder = configuration.data.folder
        guard let facts = Self.facts(of: folder) else {
            // The standard folder is made with all that leads to it.
            guard !configuration.data.isStandard, Self.facts(of: configuration.data.parent) == nil else { return nil }
            return problem(
                .data, "The folder \(configuration.data.parent) that it should be made in does not exist.",
                "Make that folder, or correct the path.")
        }
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            return problem(.data, "\(folder) is not a folder.", "Name a folder of Pinpost's own.")
        }
        guard let owner = DataOwner(of: folder), !owner.isUs else { return nil }
        return problem(.data, "Another user owns the folder.", owner.refusal(["config", "check"]).detail)
    }

    private var keyFile: ConfigurationProblems.Problem? {
        guard let path = configuration.keys.file else { return nil }
        guard let facts = Self.facts(of: path) else {
            guard Self.facts(of: configuration.data.folder + "/pinpost.db") != nil else { return nil }
            return problem(
                .masterKeysFile, "\(path) does not exist, and the data folder is in use.", "Put the key file back.")
        }
        guard facts.st_mode & 0o077 != 0 else { return nil }
        return problem(.masterKeysFile, "Others may read \(path).", "Run `chmod 600 \(DataOwner.quoted(path))`.")
    }

    private func file(
        _ key: ConfigurationKey, _ path: String?, isSecret: Bool
    ) -> ConfigurationProblems.Problem? {
        guard let path else { return nil }
        do throws(SystemFailure) {
            let bytes = try ReadFile.bytes(of: path, limit: 1 << 20)
            guard bytes.allSatisfy({ $0 == 10 || $0 == 13 }) else { return isSecret ? readable(path, key) : nil }
            return problem(key, "\(path) is empty.", "Put what belongs there into it, or name another file.")
        } catch {
            return problem(key, "\(path) cannot be read: \(error.reason).", "Correct the path, or its rights.")
        }
    }

    /// A secret is for one user.
    private func readable(_ path: String, _ key: ConfigurationKey) -> ConfigurationProblems.Problem? {
        guard let facts = Self.facts(of: path), facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o007 != 0 else {
            return nil
        }
        return problem(key, "Everybody may read \(path).", "Run `chmod o= \(DataOwner.quoted(path))`.")
    }

    private func problem(
        _ key: ConfigurationKey, _ cause: String, _ remedy: String
    ) -> ConfigurationProblems.Problem {
        ConfigurationProblems.Problem(name: key.rawValue, problem: cause, remedy: remedy)
    }

    private static func facts(of path: String) -> stat? {
        var facts = stat()
        return stat(path, &facts) == 0 ? facts : nil
    }
}
