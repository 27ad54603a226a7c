import CFuzzer
import Glibc

/// Runs libFuzzer on one target: `fuzz TARGET [folder …] [-flag=value …]`; see docs/fuzzing.md.
@main
struct Main {
    static func main() {
        guard let target = FuzzTarget.chosen else {
            print("fuzz TARGET, one of: " + FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))
            exit(2)
        }
        // libFuzzer takes every word without a dash for a folder of its corpus. To merge it starts the program anew, by
        // a shell that reads its name as it stands: the target belongs to that.
        let words = ["\(CommandLine.arguments[0]) \(target.rawValue)"] + CommandLine.arguments.dropFirst(2)
        print("fuzzing \(target.rawValue)")
        exit(Driver.run(words))
    }
}

/// Calls libFuzzer; outside of `Main`, because libFuzzer's own threads call back.
enum Driver {
    static func run(_ words: [String]) -> CInt {
        var count = CInt(words.count)
        var copies = words.map { strdup($0) } + [nil]
        return copies.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { bytes, count in
                FuzzTarget.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        }
    }
}
