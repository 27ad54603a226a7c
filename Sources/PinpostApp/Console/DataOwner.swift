import Glibc

/// Whose data folder it is: files that another user made there would lock the service out.
struct DataOwner {
    private let user: uid_t
    private let folder: String

    /// nil when there is no such folder yet.
    init?(of folder: String) {
        var facts = stat()
        guard stat(folder, &facts) == 0 else { return nil }
        user = facts.st_uid
        self.folder = folder
    }

    var isUs: Bool { user == geteuid() }

    private var name: String {
        getpwuid(user).flatMap { entry in entry.pointee.pw_name.map { String(cString: $0) } } ?? "#\(user)"
    }

    /// Says which line works instead.
    func refusal(_ words: [String]) -> Failure {
        let line = (["sudo", "-u", name, "pinpost"] + words).map(Self.quoted).joined(separator: " ")
        return Failure("not_allowed", "The data folder \(folder) belongs to \(name). Run: \(line)", exit: .notAllowed)
    }

    /// A word as the shell reads it back.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.allSatisfy { character in
                character.isASCII && (character.isLetter || character.isNumber || "-_./:@%+=,#".contains(character))
            }
        guard !isPlain || word.hasPrefix("#") else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
