import FoundationEssentials
import Glibc
import PinpostApp

@main
struct Main {
    static func main() async {
        let process = ProcessInfo.processInfo
        exit(await Program.run(Array(process.arguments.dropFirst()), environment: process.environment))
    }
}
