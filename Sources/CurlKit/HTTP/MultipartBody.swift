import CCurl
import Glibc
import PinpostCore

/// Owns one multipart/form-data body; its size is known, so it goes out with a Content-Length.
final class MultipartBody {
    let mime: OpaquePointer
    private let sources: [UploadSource]

    /// `sources` belong to the file parts, in order.
    init(
        _ parts: [HTTPRequest.Part], sources: [UploadSource], for easy: UnsafeMutableRawPointer
    ) throws(HTTPExchangeError) {
        guard let mime = curl_mime_init(easy) else {
            throw HTTPExchangeError(.localFailure, "no memory for the body")
        }
        var codes: [CURLcode] = []
        var rest = sources[...]
        for part in parts {
            guard let field = curl_mime_addpart(mime) else {
                codes.append(CURLE_OUT_OF_MEMORY)
                break
            }
            codes.append(curl_mime_name(field, part.name))
            switch part.content {
            case .text(let text):
                codes.append(curl_mime_data(field, text, text.utf8.count))
            case .file(_, let name, let contentType):
                codes.append(curl_mime_filename(field, name))
                codes.append(curl_mime_type(field, contentType))
                codes.append(rest.popFirst().map { attach($0, to: field) } ?? CURLE_READ_ERROR)
            }
        }
        guard codes.allSatisfy({ $0 == CURLE_OK }) else {
            curl_mime_free(mime)
            throw HTTPExchangeError(.localFailure, "the body could not be put together")
        }
        self.mime = mime
        self.sources = sources
    }

    deinit { curl_mime_free(mime) }
}

/// The source stays alive through `MultipartBody.sources`, which outlives the mime structure's use.
private func attach(_ source: UploadSource, to field: OpaquePointer) -> CURLcode {
    curl_mime_data_cb(
        field, curl_off_t(source.count),
        { buffer, size, count, argument in
            guard let argument, let buffer else { return Int(CURL_READFUNC_ABORT) }
            let source = Unmanaged<UploadSource>.fromOpaque(argument).takeUnretainedValue()
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
            return source.read(into: room) ?? Int(CURL_READFUNC_ABORT)
        },
        { argument, offset, origin in
            guard let argument, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
            let source = Unmanaged<UploadSource>.fromOpaque(argument).takeUnretainedValue()
            return source.seek(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        },
        nil, Unmanaged.passUnretained(source).toOpaque())
}
