internal import Cryptography
internal import Glibc
internal import PinpostCore

/// One file for each stored body: `spool/x/ID`, mode 0600, complete and on disk before its name appears.
///
/// The first character of an id is its folder: 32 folders keep each one short enough, and few enough that most are
/// there already when a body comes. A new folder costs a place on the disk and a sync of its own.
struct Spool: BlobStore {
    /// A younger file without a row may be on its way to one.
    static let graceOfOrphans: Int = 3_600

    private let root: String
    /// Where files grow; what a crash left there is worth nothing.
    private let nursery: String
    private let naming: NamingRounds
    private let fresh = FreshFiles()
    let disk: DiskReserve

    /// `disk` is the one that `root` is on.
    init(root: String, disk: DiskReserve) throws(StoreError) {
        self.root = root
        self.disk = disk
        nursery = root + "/tmp"
        naming = NamingRounds(root: root)
        for folder in [root, nursery] {
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("made", folder) }
        }
        for name in Self.names(in: nursery) { unlink(nursery + "/" + name) }
        try moveFromFormerFolders()
    }

    func makeWriter() -> any BlobWriter { SpoolWriter(spool: self, for: .delivering) }

    func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        switch bytes.place {
        case .inline(let content): InlineReader(content)
        case .spooled(let id):
            try SpoolReader(path: path(of: id), expecting: bytes, comparing: !fresh.contains(id, at: .now))
        }
    }

    func discard(_ bytes: StoredBytes) {
        if case .spooled(let id) = bytes.place { remove(id) }
    }

    func remove(_ id: Blob.ID) { unlink(path(of: id)) }

    func makeNurseryPath() -> String {
        var random = SystemRandom()
        return nursery + "/" + Blob.ID.random(using: &random).rawValue
    }

    /// What has to fit for mails and pictures to be taken, in bytes.
    private static let probeBytes = 1 << 20

    /// Writes a file of the size of a small picture and removes it, as for a message; nobody waits for the disk.
    func probe() throws(StoreError) {
        try disk.check(for: .receiving)
        let path = makeNurseryPath()
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL)
        defer { unlink(path) }
        let piece = [UInt8](repeating: 0x55, count: 64 << 10)
        for _ in 0..<(Self.probeBytes / piece.count) { try file.write(all: piece, path: path) }
    }

    /// Gives a finished file its place and makes that durable, together with those that come at the same time.
    func adopt(_ file: String) throws(StoreError) -> Blob.ID {
        let id = try naming.adopt(file)
        fresh.note(id, at: .now)
        return id
    }

    /// Removes the files that are old enough and that no row names.
    func sweep(now: Int, isNamed: (Blob.ID) throws(StoreError) -> Bool) throws(StoreError) {
        for folder in folders {
            for name in Self.names(in: "\(root)/\(folder)") {
                var facts = stat()
                guard stat("\(root)/\(folder)/\(name)", &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
                    now - facts.st_mtim.tv_sec > Self.graceOfOrphans
                else { continue }
                if try !isNamed(Blob.ID(name)) { unlink("\(root)/\(folder)/\(name)") }
            }
        }
    }

    /// Where finished files are, by their first characters.
    var folders: [String] { Self.names(in: root).filter { $0.utf8.count == 1 } }

    func files(in folder: String) -> [Blob.ID] { Self.names(in: "\(root)/\(folder)").map { Blob.ID($0) } }

    /// Earlier versions had a folder for the first two characters.
    private func moveFromFormerFolders() throws(StoreError) {
        for former in Self.names(in: root) where former.utf8.count == 2 {
            for name in Self.names(in: "\(root)/\(former)") {
                let (id, folder) = (Blob.ID(name), folder(of: Blob.ID(name)))
                guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .system("made", folder) }
                guard rename("\(root)/\(former)/\(name)", path(of: id)) == 0 else {
                    throw .system("moved", path(of: id))
                }
                try Descriptor.syncFolder(folder)
            }
            rmdir("\(root)/\(former)")
        }
        try Descriptor.syncFolder(root)
    }

    private func folder(of id: Blob.ID) -> String { "\(root)/\(id.rawValue.prefix(1))" }
    private func path(of id: Blob.ID) -> String { "\(folder(of: id))/\(id)" }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
