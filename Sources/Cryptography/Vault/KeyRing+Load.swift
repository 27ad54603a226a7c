internal import Glibc
public import PinpostCore

/// Where the master keys may be, as the environment says.
public struct KeySources: Sendable {
    /// `PINPOST_MASTER_KEYS_FILE`.
    public var file: String?
    /// systemd's `$CREDENTIALS_DIRECTORY`; its credential is named `master-keys`.
    public var credentialsFolder: String?
    /// The data folder; its file is named `master-keys`.
    public var dataFolder: String
    /// `PINPOST_MASTER_KEYS`: the text of a key file, where there is no file.
    public var environment: Secret?

    public init(
        file: String? = nil, credentialsFolder: String? = nil, dataFolder: String, environment: Secret? = nil
    ) {
        self.file = file
        self.credentialsFolder = credentialsFolder
        self.dataFolder = dataFolder
        self.environment = environment
    }
}

/// A ring that fits the store, and where it came from.
public struct LoadedKeyRing: Sendable {
    public enum Origin: Sendable, Hashable {
        case file(String)
        /// There was no key yet: the file was made.
        case created(String)
        case environment
    }

    public let ring: KeyRing
    public let origin: Origin

    /// What the admin has to be told, if anything.
    public var notice: String? {
        switch origin {
        case .file: nil
        case .created(let path):
            "Made a new master key in \(path). Back it up apart from the data: without it no stored secret opens."
        case .environment:
            "The master keys come from the environment, where other processes may read them; use a file of mode 0600."
        }
    }
}

extension KeyRing {
    /// Finds the keys: the named file, else the systemd credential, else the data folder's file, else the environment.
    ///
    /// A key file is made only for a store that has no check value yet. `needed` are the keys that seal something.
    /// - Throws: `.keyFile` for a file that is unreadable, malformed or open to others; `.keyMissing` and `.keyWrong`
    ///   for a ring that does not fit the store. Each names what to do.
    public static func load(
        from sources: KeySources, checkValues: [String: [UInt8]], needed: Set<String>,
        using random: inout SystemRandom
    ) throws(VaultError) -> LoadedKeyRing {
        let loaded = try find(
            in: sources, mayCreate: checkValues.isEmpty, neededKeys: checkValues.keys.sorted(), &random)
        try loaded.ring.verify(against: checkValues, needed: needed)
        return loaded
    }

    private static func find(
        in sources: KeySources, mayCreate: Bool, neededKeys: [String], _ random: inout SystemRandom
    ) throws(VaultError) -> LoadedKeyRing {
        let dataFile = sources.dataFolder + "/master-keys"
        if let path = sources.file {
            if let ring = try read(path, owner: .us) { return LoadedKeyRing(ring: ring, origin: .file(path)) }
        } else {
            if let folder = sources.credentialsFolder, let ring = try read(folder + "/master-keys", owner: .systemd) {
                return LoadedKeyRing(ring: ring, origin: .file(folder + "/master-keys"))
            }
            if let ring = try read(dataFile, owner: .us) { return LoadedKeyRing(ring: ring, origin: .file(dataFile)) }
            if let secret = sources.environment {
                var text = secret.withBytes { Array($0) }
                defer { text.withUnsafeMutableBytes { Secret.wipe($0) } }
                return LoadedKeyRing(ring: try KeyRing(text: text, place: "PINPOST_MASTER_KEYS"), origin: .environment)
            }
        }
        let path = sources.file ?? dataFile
        guard mayCreate else {
            throw VaultError(
                .keyMissing,
                "The key file \(path) is missing, and stored secrets need the master key "
                    + "\(neededKeys.joined(separator: ", ")). Put the file back, or name it in PINPOST_MASTER_KEYS_FILE."
            )
        }
        return LoadedKeyRing(ring: try create(path, using: &random), origin: .created(path))
    }

    private static func create(_ path: String, using random: inout SystemRandom) throws(VaultError) -> KeyRing {
        let key = MasterKey.random(id: "k1", using: &random)
        guard let ring = KeyRing([key]) else { throw VaultError(.cryptography, "No master key could be made.") }
        var text = KeyRing.text(of: ring.keys)
        defer { text.withUnsafeMutableBytes { Secret.wipe($0) } }
        try KeyFile.write(text, to: path)
        return ring
    }

    private static func read(_ path: String, owner: KeyFile.Owner) throws(VaultError) -> KeyRing? {
        guard var text = try KeyFile.read(path, owner: owner) else { return nil }
        defer { text.withUnsafeMutableBytes { Secret.wipe($0) } }
        return try KeyRing(text: text, place: path)
    }
}
