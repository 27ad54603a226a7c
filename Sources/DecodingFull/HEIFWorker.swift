internal import CHeif
public import DecoderProtocol
public import Decoding

/// Converts HEIC and AVIF.
public struct HEIFWorker: Worker {
    /// libde265 and dav1d start threads of their own inside libheif.
    public static var permissions: Sandbox.Permissions { [.threads] }

    public init() throws(Failure) {
        // Loads the codecs while that is still possible.
        let error = heif_init(nil)
        guard error.code == heif_error_Ok else { throw Failure(.notInstalled, error.words) }
    }

    public func perform(_ job: Job, on input: InputBytes, into output: OutputFile) throws(Failure) -> Output {
        guard case .convert(.heif, let finish) = job else { throw Failure(.wrongRole) }
        return try HEIFPicture(input).convert(finish, into: output)
    }
}
