public import FoundationEssentials

/// What a tenant may receive in a day, whatever the way by which it comes.
public protocol Allowance: Sendable {
    /// How long it takes until he may receive that many bytes, in seconds; nil: he may now.
    func lack(of bytes: Double, for tenant: Tenant.ID, at now: Date) -> Double?
    /// Takes what a message has cost, although it may not be there.
    func charge(_ bytes: Double, to tenant: Tenant.ID, at now: Date)
}

/// Charges each new message to its tenant: the one place where that happens.
///
/// Nothing is refused here. Whoever can be told to come again is told so before he sends.
public struct ChargingSink: MessageSink {
    private let sink: any MessageSink
    private let allowance: any Allowance

    public init(_ sink: any MessageSink, to allowance: any Allowance) {
        self.sink = sink
        self.allowance = allowance
    }

    public func accept(_ message: ReceivedMessage) async throws(StoreError) -> Acceptance {
        let acceptance = try await sink.accept(message)
        if !acceptance.isRepeat {
            allowance.charge(Double(message.body.count), to: message.tenant, at: message.receivedAt)
        }
        return acceptance
    }
}
