import Glibc
import PinpostCore
import Testing

@testable import StoreSQLite

@Suite("Room on the disk")
struct FreeBytesTests {
    @Test("is no more than a number can hold, whatever the file system says")
    func numbers() {
        #expect(DiskReserve.bytes(in: 10, of: 4_096) == 40_960)
        #expect(DiskReserve.bytes(in: .max, of: 4_096) == .max)
        #expect(DiskReserve.bytes(in: .max, of: 1) == .max)
    }
}

@Suite("What a failing database says")
struct StoreErrorTests {
    @Test(
        "names cause and remedy",
        arguments: [
            (13 as CInt, StoreError.Code.diskFull, "Free some space"), (10, .failing, "SQLITE_IOERR"),
            (10 | 10 << 8, .failing, "dmesg"), (8, .unusable, "SQLITE_READONLY"),
            (8, .unusable, "Mount the disk writable"),
            (14, .unusable, "SQLITE_CANTOPEN"), (14, .unusable, "how many files we may open"),
            (5, .unavailable, "The store is busy"), (11, .corrupt, "Restore a backup"),
        ])
    func sqlite(_ status: CInt, _ code: StoreError.Code, _ words: String) {
        let error = StoreError.sqlite(nil, status)
        #expect(error.code == code)
        #expect(error.description.contains(words), "\(error.description)")
        #expect(error.description.contains("busy") == (code == .unavailable))
    }

    @Test(
        "a file's error as well",
        arguments: [
            (ENOSPC, StoreError.Code.diskFull, "full"), (EFBIG, .diskFull, "full"), (EDQUOT, .diskFull, "full"),
            (EIO, .failing, "Input/output error"), (EROFS, .unusable, "Mount it writable"),
            (EMFILE, .unavailable, "Too many open files"),
        ])
    func system(_ errno: CInt, _ code: StoreError.Code, _ words: String) {
        let error = StoreError.system("written", "/data/x", errno)
        #expect(error.code == code)
        #expect(error.description.contains(words), "\(error.description)")
    }
}
