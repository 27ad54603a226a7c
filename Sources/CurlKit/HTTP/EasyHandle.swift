import CCurl
import PinpostCore

/// Owns one libcurl easy handle; only the loop's thread touches it.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer

    init() throws(HTTPExchangeError) {
        CurlLibrary.start()
        guard let pointer = curl_easy_init() else { throw HTTPExchangeError(.localFailure, "libcurl gave no handle") }
        self.pointer = pointer
    }

    deinit { curl_easy_cleanup(pointer) }

    /// Forgets every option; live connections stay with the pool.
    func reset() { curl_easy_reset(pointer) }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPExchangeError) {
        try check(ccurl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(HTTPExchangeError) {
        // Lent: as a plain argument the text would be copied first.
        try check(value.withCString { ccurl_set_text(pointer, option, $0) })
    }

    func set(_ option: CURLoption, offset value: Int) throws(HTTPExchangeError) {
        try check(ccurl_set_offset(pointer, option, curl_off_t(value)))
    }

    func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(HTTPExchangeError) {
        try check(ccurl_set_pointer(pointer, option, value))
    }

    /// Copies the bytes.
    func set(_ option: CURLoption, blob: [UInt8]) throws(HTTPExchangeError) {
        try check(ccurl_set_blob(pointer, option, blob, blob.count))
    }

    func check(_ code: CURLcode) throws(HTTPExchangeError) {
        guard code == CURLE_OK else {
            throw HTTPExchangeError(.localFailure, String(cString: curl_easy_strerror(code)))
        }
    }
}

/// The process-wide part of libcurl.
enum CurlLibrary {
    private static let isStarted = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Runs once, whoever comes first.
    static func start() { _ = isStarted }

    /// What this libcurl can undo of the compressions that we ask for; nil where it can do neither.
    static let encodings = encodings(of: curl_version_info(CURLVERSION_FIRST)?.pointee.features ?? 0)

    static func encodings(of features: CInt) -> String? {
        let known = [(CInt(CURL_VERSION_LIBZ), "gzip"), (CInt(CURL_VERSION_BROTLI), "br")]
        let names = known.filter { features & $0.0 != 0 }.map(\.1)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}
