import Decoding
import Glibc

@main
struct Main {
    static func main() {
        exit(OneJobProcess.serve { FastWorker() })
    }
}
