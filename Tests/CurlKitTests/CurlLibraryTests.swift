import PinpostCore
import Testing

@testable import CurlKit

@Suite("What libcurl is given")
struct CurlLibraryTests {
    @Test("only compressions that it can undo are asked for")
    func encodings() {
        #expect(CurlLibrary.encodings(of: 0) == nil)
        // CURL_VERSION_LIBZ and CURL_VERSION_BROTLI of curl/curl.h.
        let (zlib, brotli): (CInt, CInt) = (1 << 3, 1 << 23)
        #expect(CurlLibrary.encodings(of: zlib) == "gzip")
        #expect(CurlLibrary.encodings(of: brotli) == "br")
        #expect(CurlLibrary.encodings(of: zlib | brotli | 1) == "gzip, br")
    }

    @Test("settings that it cannot take leave nothing behind")
    func share() throws {
        var settings = HTTPClient.Settings()
        settings.userAgent = "two\nlines"
        weak var left: ConnectionShare?
        do {
            let share = try ConnectionShare()
            left = share
            #expect(throws: HTTPExchangeError.self) { try HandleDefaults(.message, settings, share: share) }
        }
        #expect(left == nil)
    }
}
