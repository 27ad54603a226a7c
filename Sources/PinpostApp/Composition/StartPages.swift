import Glibc
import PinpostCore

/// The pages of program code that only a start needs.
enum StartPages {
    /// Takes all program code out of the process's memory: what runs on comes back from the page cache, page by page.
    ///
    /// (Linux, madvise(2), `MADV_DONTNEED`: on a private mapping that nobody wrote to, nothing is lost.)
    static func giveBack() {
        guard let bytes = try? ReadFile.bytes(of: "/proc/self/maps", limit: 1 << 20) else { return }
        for range in codeRanges(of: String(decoding: bytes, as: UTF8.self)) {
            madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
        }
    }

    /// Addresses of what is executed from files, in the form of `/proc/self/maps` (proc_pid_maps(5)).
    ///
    /// Constants are left alone: the linker may have written into pages that look like them.
    static func codeRanges(of maps: String) -> [Range<UInt>] {
        maps.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            guard words.count >= 6, words[1] == "r-xp", words[5].first == "/" else { return nil }
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] > 0, ends[0] < ends[1] else { return nil }
            return ends[0]..<ends[1]
        }
    }
}
