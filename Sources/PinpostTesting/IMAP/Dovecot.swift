import Glibc
import PinpostCore
import Synchronization

/// Debian's Dovecot on 127.0.0.1, with its own configuration and mails in a folder of its own.
///
/// Every user has the password `secret`; his mails lie in a Maildir. It ends with the object.
public final class Dovecot: Sendable {
    public struct Options: Sendable {
        /// Taken out of what the server says it can.
        public var without: [String] = []

        public init(without: [String] = []) { self.without = without }
    }

    /// IMAP in the clear, with STARTTLS.
    public let port: Int
    /// IMAP in TLS.
    public let tlsPort: Int
    private let folder: TestFolder
    private let certificate: TestCertificate
    private let process: Mutex<ChildProcess?>
    private let delivered = Atomic<Int>(0)

    public var certificatePEM: String { certificate.pem }
    /// The server's key as libcurl pins it.
    public var publicKeyPin: String { certificate.publicKeyPin }

    public static var isAvailable: Bool {
        access("/usr/sbin/dovecot", X_OK) == 0 && access("/usr/lib/dovecot/imap", X_OK) == 0 && TLSServer.isAvailable
    }

    public init(_ options: Options = Options()) async throws {
        folder = try TestFolder("dovecot")
        certificate = try TestCertificate()
        (port, tlsPort) = try Self.freePorts()
        chmod(folder.path, 0o755)
        for name in ["run", "home"] { mkdir("\(folder.path)/\(name)", 0o755) }
        let owner = Self.owner
        chown("\(folder.path)/home", owner.uid, owner.gid)
        process = Mutex(nil)
        folder.write(configuration(options), to: "dovecot.conf")
        try await start()
    }

    deinit { stop() }

    /// Starts the server again; returns when it answers.
    public func start() async throws {
        let started = try ChildProcess("/usr/sbin/dovecot", ["-F", "-c", "\(folder.path)/dovecot.conf"])
        process.withLock { $0 = started }
        let isThere = try await eventually({ $0 }) { Socket.isListening(port) && Socket.isListening(tlsPort) }
        guard isThere else { throw LoopbackError("dovecot does not listen: \(log)") }
    }

    /// Ends the server and every connection.
    public func stop() { process.withLock { $0.take() }?.end() }

    /// What the server has to say.
    public var log: String { TestFolder.text(of: "\(folder.path)/log") }

    /// Puts a mail into a user's inbox, as a mail server does that knows Maildir.
    public func deliver(_ mail: [UInt8], to user: String = "ada") {
        let number = delivered.add(1, ordering: .relaxed).newValue
        let maildir = maildir(of: user)
        let name = "\(time(nil)).\(number)_\(getpid()).test"
        TestFolder.write(mail, to: "\(maildir)/tmp/\(name)")
        chown("\(maildir)/tmp/\(name)", Self.owner.uid, Self.owner.gid)
        rename("\(maildir)/tmp/\(name)", "\(maildir)/new/\(name)")
    }

    /// The file names of the mails in a folder; behind `:2,` are the flags.
    public func mails(of user: String = "ada", in folder: String = "INBOX") -> [String] {
        let place = maildir(of: user) + (folder == "INBOX" ? "" : "/.\(folder)")
        return ["new", "cur"].flatMap { TestFolder.names(in: "\(place)/\($0)") }.sorted()
    }

    /// The keywords that mails of the inbox have had; the first is written as `a` behind a file's name.
    public func keywords(of user: String = "ada") -> [String] {
        TestFolder.text(of: "\(maildir(of: user))/dovecot-keywords").split(separator: "\n")
            .compactMap { $0.split(separator: " ").last.map(String.init) }
    }

    /// Gives the inbox another UIDVALIDITY and every mail another UID, as after a restored backup.
    public func renumber(_ user: String = "ada") async throws {
        stop()
        for name in TestFolder.names(in: maildir(of: user)) where name.hasPrefix("dovecot") {
            unlink("\(maildir(of: user))/\(name)")
        }
        // The new number is a time in seconds.
        TestFolder.write(
            Array("3 V\(time(nil) + 1_000) N1 G0123456789abcdef0123456789abcdef\n".utf8),
            to: "\(maildir(of: user))/dovecot-uidlist")
        chown("\(maildir(of: user))/dovecot-uidlist", Self.owner.uid, Self.owner.gid)
        try await start()
    }

    private func maildir(of user: String) -> String {
        let home = "\(folder.path)/home/\(user)"
        for path in [home, "\(home)/Maildir"] + ["new", "cur", "tmp"].map({ "\(home)/Maildir/\($0)" }) {
            if mkdir(path, 0o700) == 0 { chown(path, Self.owner.uid, Self.owner.gid) }
        }
        return "\(home)/Maildir"
    }

    /// Dovecot serves no mail as root.
    private static var owner: (uid: uid_t, gid: gid_t, user: String, group: String) {
        guard getuid() == 0, let nobody = getpwnam("nobody"), let group = getgrnam("nogroup") else {
            let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "nobody"
            let group = getgrgid(getgid()).map { String(cString: $0.pointee.gr_name) } ?? "nogroup"
            return (getuid(), getgid(), user, group)
        }
        return (nobody.pointee.pw_uid, group.pointee.gr_gid, "nobody", "nogroup")
    }

    private static func freePorts() throws(LoopbackError) -> (Int, Int) {
        // Both are held until both are known, or they might be the same.
        let (first, second) = (try Listener(port: 0), try Listener(port: 0))
        return (first.port, second.port)
    }

    private func configuration(_ options: Options) -> String {
        let owner = Self.owner
        let all =
            "IMAP4rev1 SASL-IR LITERAL+ ID ENABLE IDLE UIDPLUS MOVE CONDSTORE ESEARCH NAMESPACE SPECIAL-USE UNSELECT"
        let capabilities = all.split(separator: " ").filter { !options.without.contains(String($0)) }
        return """
            protocols = imap
            listen = 127.0.0.1
            base_dir = \(folder.path)/run
            state_dir = \(folder.path)/run
            log_path = \(folder.path)/log
            ssl = yes
            ssl_cert = <\(certificate.path)
            ssl_key = <\(certificate.keyPath)
            disable_plaintext_auth = no
            default_internal_user = \(owner.user)
            default_internal_group = \(owner.group)
            default_login_user = \(owner.user)
            first_valid_uid = 1
            mail_location = maildir:~/Maildir
            mail_max_userip_connections = 1000
            auth_failure_delay = 0
            imap_capability = \(capabilities.joined(separator: " "))
            \(services)
            """
    }

    /// Who may log in, and where.
    private var services: String {
        """
        passdb {
          driver = static
          args = password=secret
        }
        userdb {
          driver = static
          args = uid=\(Self.owner.user) gid=\(Self.owner.group) home=\(folder.path)/home/%u
        }
        service imap-login {
          chroot =
          inet_listener imap {
            port = \(port)
          }
          inet_listener imaps {
            port = \(tlsPort)
            ssl = yes
          }
        }
        service anvil {
          chroot =
        }
        service stats {
          chroot =
        }

        """
    }
}
