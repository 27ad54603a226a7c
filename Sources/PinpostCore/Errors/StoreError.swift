/// The store could not do it; nothing was stored by half.
public struct StoreError: Error, Sendable, Hashable {
    public enum Code: String, Sendable, CaseIterable {
        /// No room on the disk: nothing is lost, the source has to try again later.
        case diskFull
        /// The disk gives errors instead of bytes.
        case failing
        /// The data folder or the database is not there, not ours, or read-only.
        case unusable
        /// The database was written by a newer Pinpost.
        case newerSchema
        /// Another process holds the data folder.
        case locked
        /// The database or a spool file is damaged.
        case corrupt
        /// Busy for the moment.
        case unavailable
        /// The lease was taken over: the result is dropped.
        case leaseLost
        /// No such record, or not this tenant's.
        case notFound
        /// A unique name is taken.
        case conflict
        /// It is still referred to, or its state forbids the change.
        case refused
    }

    public let code: Code
    /// The cause in words, without secrets.
    public let detail: String

    public init(_ code: Code, _ detail: String = "") {
        self.code = code
        self.detail = detail
    }

    /// Whether the same call may succeed later without anybody's help.
    public var isTransient: Bool {
        switch code {
        case .diskFull, .failing, .unavailable, .locked: true
        case .unusable, .newerSchema, .corrupt, .leaseLost, .notFound, .conflict, .refused: false
        }
    }
}

extension StoreError: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String {
        let cause =
            switch code {
            case .diskFull: "The disk of the data folder is full. Free some space; nothing was lost."
            case .failing: "The disk of the data folder gives errors. Look at it and at the system's log (dmesg)."
            case .unusable: "The data folder cannot be used."
            case .newerSchema: "The data was written by a newer Pinpost. Install that version or restore a backup."
            case .locked: "Another Pinpost process holds the data folder."
            case .corrupt: "Stored data is damaged. Restore a backup."
            case .unavailable: "The store is busy. Try again."
            case .leaseLost: "Another worker has taken over."
            case .notFound: "Not found."
            case .conflict: "Already there."
            case .refused: "Refused."
            }
        return detail.isEmpty ? cause : "\(cause) (\(detail))"
    }

    public var debugDescription: String { "StoreError.\(code.rawValue) \(detail)" }
}
