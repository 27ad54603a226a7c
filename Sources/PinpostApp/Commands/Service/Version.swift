extension Command {
    static let version = Command("version", "print the version") { _, context in
        try context.print(["version": Version.current]) { _ in "pinpost \(Version.current)\n" }
        return .done
    }
}

enum Version {
    static let current = "0.1.0"
}
