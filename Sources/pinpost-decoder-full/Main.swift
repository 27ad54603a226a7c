import DecoderProtocol
import Decoding
import DecodingFull
import Glibc

@main
struct Main {
    static func main() {
        if CommandLine.arguments.last == Role.card.rawValue {
            exit(OneJobProcess.serve { () throws(Failure) in try CardWorker() })
        }
        exit(OneJobProcess.serve { () throws(Failure) in try HEIFWorker() })
    }
}
