internal import Glibc
internal import PinpostCore

extension StoreError {
    /// Says what the last system call on `path` failed of.
    static func system(_ action: String, _ path: String, _ code: CInt = errno) -> StoreError {
        if isNoRoom(code) { return StoreError(.diskFull) }
        let words = "\(path) cannot be \(action): \(String(cString: strerror(code)))"
        switch code {
        case EIO: return StoreError(.failing, words)
        // As many files as we may have are open for the moment.
        case EMFILE, ENFILE: return StoreError(.unavailable, words)
        case EROFS: return StoreError(.unusable, words + ". Mount it writable")
        default: return StoreError(.unusable, words)
        }
    }
}
