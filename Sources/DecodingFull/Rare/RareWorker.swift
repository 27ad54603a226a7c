public import DecoderProtocol
public import Decoding
import Glibc

/// Converts TIFF, JPEG XL and JPEG in printing inks.
public struct RareWorker: Worker {
    public static var permissions: Sandbox.Permissions { [] }

    public init() {
        ColorConverter.prepare()
        Self.sortOnce()
    }

    /// The first large `qsort`, which libtiff calls, asks the kernel how much memory the machine has.
    private static func sortOnce() {
        var numbers = [UInt8](repeating: 0, count: 4096)
        qsort(&numbers, numbers.count, 1) { _, _ in 0 }
    }

    public func perform(_ job: Job, on input: InputBytes, into output: OutputFile) throws(Failure) -> Output {
        switch job {
        case .convert(.tiff, let finish): try TIFFPicture(input).convert(finish, into: output)
        case .convert(.jpegXL, let finish): try JXLPicture(input).convert(finish, into: output)
        case .convert(.inkJPEG, let finish): try InkJPEG(input).convert(finish, into: output)
        default: throw Failure(.wrongRole)
        }
    }
}
