import Glibc
import PinpostCore

/// What the command line names by path: read here, with the rights of the person who typed it.
extension CommandContext {
    /// The token in a file, or on standard input for `-`: piped, or typed without echo.
    func token(from path: String) throws -> Secret {
        if path == "-", console.isInteractive { return try Self.checked(typedSecret("Pinry API token: ")) }
        var bytes = try namedBytes(path, flag: "--token-file", limit: 4_096)
        while let last = bytes.last, " \r\n\t".utf8.contains(last) { bytes.removeLast() }
        return try Self.checked(Secret(taking: &bytes))
    }

    /// The token of a new tenant: from the file, or asked for on a terminal, where an empty answer means none.
    func tokenOfNewTenant(from path: String?) throws -> Secret? {
        if let path { return try token(from: path) }
        guard console.isInteractive else { return nil }
        let secret = try typedSecret("Pinry API token (empty: none): ")
        return secret.count > 0 ? try Self.checked(secret) : nil
    }

    private func typedSecret(_ prompt: String) throws -> Secret {
        guard let secret = console.askSecret(prompt) else { throw UsageError("Broken off; nothing was done.") }
        return secret
    }

    private static func checked(_ secret: Secret) throws -> Secret {
        let isPlain = secret.withBytes { bytes in !bytes.isEmpty && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
        guard isPlain else {
            throw UsageError("The token must be one line of printable characters; copy it from Pinry's settings page.")
        }
        return secret
    }

    /// What a webhook is signed with, on one line or several; only the ends of lines after it are dropped.
    func signingSecret(from path: String) throws -> Secret {
        var bytes = try namedBytes(path, flag: "--secret-file", limit: 16_384)
        while let last = bytes.last, last == UInt8(ascii: "\r") || last == UInt8(ascii: "\n") { bytes.removeLast() }
        return Secret(taking: &bytes)
    }

    /// A small text file.
    func text(of path: String, flag: String) throws -> String {
        String(decoding: try namedBytes(path, flag: flag, limit: 256 * 1024), as: UTF8.self)
    }

    /// A whole file, or standard input for `-`.
    func wholeFile(_ path: String, limit: Int) throws -> [UInt8] {
        do {
            return path == "-"
                ? try ReadFile.bytes(of: console.input, limit: limit) : try ReadFile.bytes(of: path, limit: limit)
        } catch {
            guard error.code != EFBIG else {
                throw Failure("too_large", "\(path) is over \(limit >> 20) MiB.", exit: .wrongData)
            }
            throw UsageError("\(path) cannot be read (\(error.reason)).")
        }
    }

    private func namedBytes(_ path: String, flag: String, limit: Int) throws -> [UInt8] {
        do {
            return path == "-"
                ? try ReadFile.bytes(of: console.input, limit: limit) : try ReadFile.bytes(of: path, limit: limit)
        } catch {
            throw UsageError("\(flag): \(path) cannot be read (\(error.reason)).")
        }
    }
}
