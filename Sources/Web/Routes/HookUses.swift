internal import FoundationEssentials
internal import PinpostCore
internal import Synchronization

/// The last uses that were noted: one a minute for each hook is enough.
final class HookUses: Sendable {
    /// In seconds.
    private static let pause = 60.0
    private static let most = 16_384

    private let noted = Mutex<[Hook.ID: Date]>([:])

    /// Whether a use at that time has to be noted; it counts as noted then.
    func isNew(_ hook: Hook.ID, at now: Date) -> Bool {
        noted.withLock { noted in
            if let last = noted[hook], abs(now.timeIntervalSince(last)) < Self.pause { return false }
            if noted.count >= Self.most { noted = [:] }
            noted[hook] = now
            return true
        }
    }
}
