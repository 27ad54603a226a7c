import DecoderProtocol
import Decoding
import DecodingFull
import Glibc

@main
struct Main {
    static func main() {
        switch CommandLine.arguments.last.flatMap(Role.init) {
        case .card: exit(OneJobProcess.serve { () throws(Failure) in try CardWorker() })
        case .rare: exit(OneJobProcess.serve { RareWorker() })
        default: exit(OneJobProcess.serve { () throws(Failure) in try HEIFWorker() })
        }
    }
}
