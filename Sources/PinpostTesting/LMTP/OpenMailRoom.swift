public import FoundationEssentials
public import PinpostCore

/// Stands where the store is behind the ways in of mail: takes everything into memory, and looks nothing up on a disk.
///
/// Who is known follows from the recipient alone, so that inputs need no registered tokens: three of four recipients
/// are live addresses, and some look-ups fail.
public struct OpenMailRoom: MessageSink, TenantDirectory, Quarantine, BlobStore {
    public init() {}

    /// The same time and the same identifiers every time.
    public static let surroundings = Surroundings(
        now: { Date(timeIntervalSince1970: 1_750_000_000) }, random: { FixedNumbers() })

    private struct FixedNumbers: RandomNumberGenerator {
        mutating func next() -> UInt64 { 7 }
    }

    public func accept(_ message: ReceivedMessage) throws(StoreError) -> Acceptance {
        Acceptance(message: message.id, isRepeat: false)
    }

    public func address(tokenHash: [UInt8], now: Date) throws(StoreError) -> Address? {
        let kind = tokenHash.first ?? 0
        if kind == 0 { throw StoreError(.unavailable, "no look-up of this one") }
        guard kind & 3 != 0 else { return nil }
        return Address(
            id: Identifier("a\(kind)"), tenant: Identifier("t"), tokenHash: tokenHash,
            token: SealedSecret(id: Identifier("s"), purpose: .addressToken, keyID: "k", box: []),
            defaults: EntranceDefaults(), createdAt: now)
    }

    /// One, so that the mailbox itself takes mail.
    public func senderAddresses(now: Date) throws(StoreError) -> [Address] {
        try address(tokenHash: [1], now: now).map { [$0] } ?? []
    }

    public func tenant(_ id: Tenant.ID) -> Tenant? { nil }
    public func server(_ id: Server.ID) -> Server? { nil }
    public func address(_ id: Address.ID, of tenant: Tenant.ID) -> Address? { nil }
    public func hook(_ id: Hook.ID) -> Hook? { nil }
    public func noteUse(of hook: Hook.ID, at now: Date) {}
    public func boards(of tenant: Tenant.ID) -> (boards: [Board], readAt: Date)? { nil }
    public func remember(_ boards: [Board], of tenant: Tenant.ID, readAt: Date) {}

    public func hold(_ mail: HeldMail, key: [UInt8], within limits: QuarantineLimits) -> HeldMail.ID { mail.id }
    public func hold(_ message: Message.ID, because reason: String, within limits: QuarantineLimits, now: Date) {}
    public func heldMails(newest limit: Int) -> [HeldMail] { [] }
    public func heldMail(_ id: HeldMail.ID) -> HeldMail? { nil }
    public func heldMail(of message: Message.ID) -> HeldMail? { nil }
    public func release(_ id: HeldMail.ID, past isTrusted: Bool, now: Date) {}
    public func release(_ id: HeldMail.ID, as message: ReceivedMessage) -> Acceptance {
        Acceptance(message: message.id, isRepeat: false)
    }
    public func removeHeld(_ id: HeldMail.ID) {}
    public func expireHeld(now: Date) {}
    public func replay(_ message: Message.ID, now: Date) {}

    public func makeWriter() -> any BlobWriter { Writer() }

    public func open(_ bytes: StoredBytes) throws(StoreError) -> any BlobReader {
        guard case .inline(let content) = bytes.place else { throw StoreError(.notFound, "everything is in memory") }
        return Reader(content)
    }

    public func discard(_ bytes: StoredBytes) {}

    private final class Writer: BlobWriter {
        private var bytes: [UInt8] = []

        func write(_ piece: UnsafeRawBufferPointer) { bytes += piece }
        func finish() -> StoredBytes { StoredBytes(place: .inline(bytes), count: bytes.count, sha256: []) }
        func discard() { bytes = [] }
    }

    private final class Reader: BlobReader {
        private var rest: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) { rest = bytes[...] }

        func read(upTo limit: Int) -> [UInt8] {
            let piece = Array(rest.prefix(limit))
            rest = rest.dropFirst(piece.count)
            return piece
        }

        func descriptor() throws(StoreError) -> CInt { throw StoreError(.refused, "everything is in memory") }
    }
}
