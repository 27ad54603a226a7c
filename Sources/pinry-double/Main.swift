import Glibc
import PinpostTesting

@main
struct Main {
    static func main() {
        exit(PinryDoubleCommand.run(Array(CommandLine.arguments.dropFirst())))
    }
}
