import Glibc

/// Bytes that nobody may see: never printed, wiped when the last owner lets go.
///
/// `@unchecked Sendable` is safe: the memory is written once, in `init`, and only read afterwards.
public final class Secret: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer

    /// Copies the bytes; the caller wipes its own copy.
    public convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(pointer: Secret.copy(bytes))
    }

    private init(pointer: UnsafeMutableRawBufferPointer) { memory = pointer }

    private static func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        memory.copyMemory(from: bytes)
        // Best effort: without the right to lock memory the secret is as safe as the swap.
        if let base = memory.baseAddress, memory.count > 0 { _ = mlock(base, memory.count) }
        return memory
    }

    /// Copies the bytes and wipes the array that brought them.
    public convenience init(taking bytes: inout [UInt8]) {
        self.init(copying: bytes)
        bytes.withUnsafeMutableBytes { Secret.wipe($0) }
        bytes.removeAll()
    }

    /// Copies an array that stays with the caller.
    public convenience init(copying bytes: [UInt8]) {
        self.init(pointer: bytes.withUnsafeBytes { Secret.copy($0) })
    }

    deinit {
        Secret.wipe(memory)
        if let base = memory.baseAddress, memory.count > 0 { _ = munlock(base, memory.count) }
        memory.deallocate()
    }

    public var count: Int { memory.count }

    /// Lends the bytes; they must not outlive the call.
    public func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Overwrites memory in a way that the compiler may not leave out.
    public static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        if let base = memory.baseAddress { explicit_bzero(base, memory.count) }
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "[redacted]" }
    public var debugDescription: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A secret as the store keeps it: only the vault can open it, and only for the tenant, purpose and id it was sealed for.
public struct SealedSecret: Sendable, Hashable, Codable {
    public enum Purpose: String, Sendable, Codable, CaseIterable {
        case pinryToken = "pinry_token"
        case addressToken = "address_token"
        case hookSecret = "hook_secret"
        case hookToken = "hook_token"
        case replyKey = "reply_key"
        case mailboxPassword = "mailbox_password"
    }

    public let id: Identifier<SealedSecret>
    public let purpose: Purpose
    /// Which master key sealed it.
    public let keyID: String
    /// Version byte, nonce, ciphertext, tag.
    public let box: [UInt8]

    public init(id: Identifier<SealedSecret>, purpose: Purpose, keyID: String, box: [UInt8]) {
        self.id = id
        self.purpose = purpose
        self.keyID = keyID
        self.box = box
    }
}
