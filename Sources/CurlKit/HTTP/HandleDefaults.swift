import CCurl
import PinpostCore

/// What libcurl is told once for every handle of a pool: how it speaks, whom it trusts, whom it asks before it connects.
final class HandleDefaults {
    private let key: ConnectionPool.Key
    private let settings: HTTPClient.Settings
    private let share: ConnectionShare
    /// What pages may be compressed with; nil where nothing may be.
    private let encodings: String?
    /// What every request says about us, unless it says it itself.
    let headers: [(name: String, value: String)]
    private var headerList = HeaderList()
    /// Test hook: names with addresses of our choice.
    private var resolveList: UnsafeMutablePointer<curl_slist>?

    init(
        _ key: ConnectionPool.Key, _ settings: HTTPClient.Settings, share: ConnectionShare
    ) throws(HTTPExchangeError) {
        self.key = key
        self.settings = settings
        self.share = share
        encodings = key.decodesContent ? CurlLibrary.encodings : nil
        // As headers of our own: those of libcurl's own options it writes twice for each request, byte by byte.
        headers = [("User-Agent", settings.userAgent)] + (encodings.map { [("Accept-Encoding", $0)] } ?? [])
        for (name, value) in headers { try headerList.add(name, value) }
        for line in settings.resolve { resolveList = curl_slist_append(resolveList, line) }
    }

    deinit { curl_slist_free_all(resolveList) }

    /// Sets everything on a new or reset handle; `owner` is what its callbacks are given.
    func apply(to handle: EasyHandle, owner: PooledHandle) throws(HTTPExchangeError) {
        try setManners(on: handle)
        try setTrust(on: handle)
        try setCallbacks(on: handle, Unmanaged.passUnretained(owner).toOpaque())
    }

    private func setManners(on handle: EasyHandle) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_SHARE, share.pointer)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_PROXY, "")
        try handle.set(CURLOPT_NOPROXY, "*")
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try setHeaders(on: handle)
        if let encodings { try handle.set(CURLOPT_ACCEPT_ENCODING, encodings) }
        if let resolveList { try handle.set(CURLOPT_RESOLVE, UnsafeMutableRawPointer(resolveList)) }
        try handle.set(CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer must not hold up the loop when the transfer is given up.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
    }

    /// The headers of a request that brings none.
    func setHeaders(on handle: EasyHandle) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headerList.list))
    }

    private func setTrust(on handle: EasyHandle) throws(HTTPExchangeError) {
        guard let pem = key.trustedPEM else { return }
        // The blob stands in for the system's file; the system's folder keeps its authorities trusted as well.
        try handle.set(CURLOPT_CAINFO_BLOB, blob: Array(pem.utf8))
        try handle.set(CURLOPT_CAPATH, "/etc/ssl/certs")
    }

    private func setCallbacks(
        on handle: EasyHandle, _ context: UnsafeMutableRawPointer
    ) throws(HTTPExchangeError) {
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA, CURLOPT_PREREQDATA] {
            try handle.set(option, context)
        }
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_WRITEFUNCTION, receiveBody))
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, receiveHeader))
        try handle.check(ccurl_set_opensocket(handle.pointer, openSocket))
        try handle.check(ccurl_set_prereq(handle.pointer, beforeRequest))
    }
}
