import DecoderProtocol
import Glibc
import PinpostCore

extension MediaError {
    /// What the decoder found out about the picture.
    init(_ failure: Failure) {
        switch failure.code {
        case .damaged: self.init(.damaged, "The picture is damaged: \(failure.words).")
        case .unsupported:
            self.init(.unsupportedFormat, "The picture uses a rare kind of its format: \(failure.words).")
        case .tooLarge: self.init(.overLimit, "The picture is too large to convert: \(failure.words).")
        case .sandboxUnavailable:
            self.init(.unavailable, "Pictures cannot be decoded safely on this machine: \(failure.words).")
        case .notInstalled: self.init(.unavailable, "The picture decoder lacks something: \(failure.words).")
        case .wrongRole, .internalFault: self.init(.decoderFailed, "The picture decoder failed: \(failure.words).")
        }
    }

    /// The process was gone before it saw the picture.
    static func notStarted(_ error: FrameError) -> MediaError {
        MediaError(.unavailable, "The picture decoder did not start: \(error).")
    }

    /// The process answered to something else than what it was asked.
    static var wrongProduct: MediaError { .decoder(.malformed, status: nil) }

    static let brokenPromise = MediaError(
        .decoderFailed, "The picture decoder did not write the picture that it announced.")

    static let strangeOutput = MediaError(
        .decoderFailed, "The picture decoder wrote something that is not a picture.")

    /// The process did not answer; its wait status tells why.
    static func decoder(_ error: FrameError, status: CInt?) -> MediaError {
        if error == .timedOut { return MediaError(.decoderFailed, "The picture took too long to decode.") }
        guard let status else { return MediaError(.decoderFailed, "The picture decoder failed: \(error).") }
        let signal = status & 0x7F
        switch signal {
        case 0: return MediaError(.decoderFailed, "The picture decoder ended without an answer.")
        case SIGXCPU: return MediaError(.decoderFailed, "The picture needs too much computing time.")
        case SIGKILL: return MediaError(.decoderFailed, "The picture decoder was killed, perhaps for lack of memory.")
        case SIGXFSZ: return MediaError(.overLimit, "The converted picture is too large.")
        case SIGSYS:
            return MediaError(.decoderFailed, "The picture made the decoder do something forbidden; it was stopped.")
        default: return MediaError(.decoderFailed, "The picture crashed the decoder (signal \(signal)).")
        }
    }
}

extension Failure {
    private static let maximumWords = 160

    /// The detail as it may be shown: a picture that has taken its decoder over could write anything into it.
    fileprivate var words: String {
        let plain = detail.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(Self.maximumWords)
        let end = plain.lastIndex { $0 != "." && $0 != " " }.map(plain.index(after:)) ?? plain.startIndex
        return String(String.UnicodeScalarView(plain[..<end]))
    }
}
