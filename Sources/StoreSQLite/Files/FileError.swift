internal import Glibc
internal import PinpostCore

extension StoreError {
    /// Says what the last system call on `path` failed of.
    static func system(_ action: String, _ path: String, _ code: CInt = errno) -> StoreError {
        if isNoRoom(code) { return StoreError(.diskFull) }
        return StoreError(.unusable, "\(path) cannot be \(action): \(String(cString: strerror(code)))")
    }
}
