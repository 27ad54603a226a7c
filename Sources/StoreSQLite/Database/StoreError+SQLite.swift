internal import CSQLite
internal import Glibc
internal import PinpostCore

extension StoreError {
    /// Translates what SQLite said last on a connection.
    static func sqlite(_ handle: OpaquePointer?, _ status: CInt) -> StoreError {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? status
        let detail = "SQLite \(extended): \(String(cString: sqlite3_errstr(extended)))"
        let cause = handle.map { sqlite3_system_errno($0) } ?? 0
        switch extended & 0xFF {
        case SQLITE_FULL: return StoreError(.diskFull)
        case SQLITE_IOERR:
            guard !isNoRoom(cause) else { return StoreError(.diskFull) }
            return StoreError(.failing, "SQLITE_IOERR, \(detail)\(words(cause))")
        case SQLITE_CORRUPT, SQLITE_NOTADB: return StoreError(.corrupt, detail)
        case SQLITE_READONLY:
            return StoreError(
                .unusable, "SQLITE_READONLY, \(detail). Mount the disk writable, and give the files to our user")
        case SQLITE_CANTOPEN:
            return StoreError(
                .unusable,
                "SQLITE_CANTOPEN, \(detail)\(words(cause)). Look whether the folder is there and our user's, and how many "
                    + "files we may open")
        case SQLITE_PERM, SQLITE_AUTH: return StoreError(.unusable, detail)
        case SQLITE_CONSTRAINT: return constraint(extended, detail)
        default: return StoreError(.unavailable, detail)
        }
    }

    /// What the system said, where it said something.
    private static func words(_ cause: CInt) -> String { cause == 0 ? "" : "; \(String(cString: strerror(cause)))" }

    private static func constraint(_ extended: CInt, _ detail: String) -> StoreError {
        switch extended {
        case pinpost_constraint_unique, pinpost_constraint_primary_key: StoreError(.conflict)
        // The keys are composite: what is referred to is not there, or is not this tenant's.
        case pinpost_constraint_foreign_key: StoreError(.notFound)
        default: StoreError(.refused, detail)
        }
    }

    /// Whether a system error means that the disk, the quota or the largest file is full.
    static func isNoRoom(_ code: CInt) -> Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}
