import CCurl
import Glibc
import PinpostCore

/// Made once: glibc reads files for it.
private enum UTF8Locale {
    /// Safe to share: nobody changes or frees it.
    nonisolated(unsafe) static let shared = ccurl_utf8_locale()
}

/// Owns one `CURLU`: a URL in its parts, as libcurl reads them.
///
/// `@unchecked Sendable` is safe: only its maker calls what changes it; libcurl's readers do not.
final class URLHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ text: String) throws(HTTPExchangeError) {
        guard let handle = curl_url() else { throw HTTPExchangeError(.localFailure, "no memory for a URL") }
        do throws(HTTPExchangeError) {
            try Self.set(text, on: handle)
        } catch {
            curl_url_cleanup(handle)
            throw error
        }
        pointer = handle
    }

    deinit { curl_url_cleanup(pointer) }

    /// Sets a reference relative to the URL that is set.
    func set(_ reference: String) throws(HTTPExchangeError) { try Self.set(reference, on: pointer) }

    func set(host: String) throws(HTTPExchangeError) {
        try Self.check(host.withCString { curl_url_set(pointer, CURLUPART_HOST, $0, 0) })
    }

    private static func set(_ text: String, on handle: OpaquePointer) throws(HTTPExchangeError) {
        // A NUL would end the C string early and hide the rest.
        if text.utf8.span.contains(0) { throw HTTPExchangeError(.badURL, "the URL contains a NUL") }
        let code = text.withCString { text in
            curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE))
        }
        try check(code)
    }

    private static func check(_ code: CURLUcode) throws(HTTPExchangeError) {
        guard code == CURLUE_OK else { throw HTTPExchangeError(.badURL, String(cString: curl_url_strerror(code))) }
    }

    func part(_ part: CURLUPart, _ flags: UInt32 = 0) throws(HTTPExchangeError) -> String {
        let (code, text) = get(part, flags)
        guard let text else { throw HTTPExchangeError(.badURL, String(cString: curl_url_strerror(code))) }
        return text
    }

    /// nil where the URL names none.
    func port() throws(HTTPExchangeError) -> Int? {
        let (code, text) = get(CURLUPART_PORT, 0)
        if code == CURLUE_NO_PORT { return nil }
        guard let port = text.flatMap({ Int($0) }), port > 0 else {
            throw HTTPExchangeError(.badURL, "the port is not a number from 1 to 65535")
        }
        return port
    }

    func optionalPart(_ part: CURLUPart) -> String? { get(part, 0).text }

    private func get(_ part: CURLUPart, _ flags: UInt32) -> (code: CURLUcode, text: String?) {
        // Only the conversion to ASCII looks at the locale.
        let before = flags & UInt32(CURLU_PUNYCODE) == 0 ? nil : UTF8Locale.shared.map { uselocale($0) }
        defer { if let before { uselocale(before) } }
        var text: UnsafeMutablePointer<CChar>?
        let code = curl_url_get(pointer, part, &text, flags)
        defer { curl_free(text) }
        return (code, code == CURLUE_OK ? text.map { String(cString: $0) } : nil)
    }
}

extension Span<UInt8> {
    fileprivate func contains(_ byte: UInt8) -> Bool {
        for index in indices where self[index] == byte { return true }
        return false
    }
}
