import CCurl
import Glibc
import PinpostCore

/// Everything that libcurl holds for one transfer: the handle, headers and body, freed together.
final class TransferSetup {
    let handle: EasyHandle
    private let headers: HeaderList
    private let body: MultipartBody?
    private let errorText: UnsafeMutableBufferPointer<CChar>

    init(_ transfer: Transfer, on handle: EasyHandle, settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        self.handle = handle
        var parts: [HTTPRequest.Part]?
        if case .multipart(let multipart) = transfer.request.body { parts = multipart }
        headers = try Self.headers(of: transfer)
        if let parts {
            body = try MultipartBody(parts, sources: transfer.sources, for: handle.pointer)
        } else {
            body = nil
        }
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0)
        try configure(transfer, settings)
    }

    deinit {
        // The handle goes back to a pool: nothing of ours may stay behind in it.
        handle.reset()
        curl_slist_free_all(resolveList)
        errorText.deallocate()
    }

    /// libcurl's own words on what went wrong: host and cause, never a header or a body.
    var errorDetail: String {
        String(decoding: errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    var status: Int { ccurl_get_long(handle.pointer, CURLINFO_RESPONSE_CODE) }

    private static func headers(of transfer: Transfer) throws(HTTPExchangeError) -> HeaderList {
        var list = HeaderList()
        for (name, value) in transfer.request.headers { try list.add(name, value) }
        if case .bytes(_, let contentType) = transfer.request.body { try list.add("Content-Type", contentType) }
        if let (scheme, secret) = transfer.request.authorization { try list.addAuthorization(scheme, secret) }
        return list
    }

    private func configure(_ transfer: Transfer, _ settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        try setURL(transfer, settings)
        try setMethodAndBody(transfer.request)
        try setLimits(transfer, settings)
        try setCallbacks(transfer)
        try setTrust(transfer.pool)
    }

    private func setURL(_ transfer: Transfer, _ settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_URL, transfer.url.text)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_PROXY, "")
        try handle.set(CURLOPT_NOPROXY, "*")
        try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try handle.set(CURLOPT_USERAGENT, settings.userAgent)
        try handle.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(headers.list))
        if transfer.pool.decodesContent { try handle.set(CURLOPT_ACCEPT_ENCODING, "") }
        for line in settings.resolve { try addResolve(line) }
    }

    /// Test hook: names with addresses of our choice.
    private var resolveList: UnsafeMutablePointer<curl_slist>?
    private func addResolve(_ line: String) throws(HTTPExchangeError) {
        resolveList = curl_slist_append(resolveList, line)
        try handle.set(CURLOPT_RESOLVE, UnsafeMutableRawPointer(resolveList))
    }

    private func setMethodAndBody(_ request: HTTPRequest) throws(HTTPExchangeError) {
        switch request.body {
        case .none:
            if request.method == "HEAD" { try handle.set(CURLOPT_NOBODY, 1) }
            if request.method == "POST" {
                try handle.set(CURLOPT_POST, 1)
                try handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
            }
        case .bytes(let bytes, _):
            try handle.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
            let code = bytes.withUnsafeBytes { bytes in
                ccurl_set_pointer(
                    handle.pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
            try handle.check(code)
        case .multipart:
            try handle.set(CURLOPT_MIMEPOST, UnsafeMutableRawPointer(body?.mime))
        }
        guard request.method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw HTTPExchangeError(.localFailure, "the method is not a word of capitals")
        }
        if request.method != "HEAD" { try handle.set(CURLOPT_CUSTOMREQUEST, request.method) }
        // On a reused connection that breaks without an answer libcurl sends the request once more, whatever it is.
        // What must not happen twice therefore gets a connection of its own.
        if !["GET", "HEAD", "OPTIONS"].contains(request.method) { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
    }

    private func setLimits(_ transfer: Transfer, _ settings: HTTPClient.Settings) throws(HTTPExchangeError) {
        try handle.set(CURLOPT_NOSIGNAL, 1)
        // A name server that does not answer must not hold up the loop when the transfer is given up.
        try handle.set(CURLOPT_QUICK_EXIT, 1)
        try handle.set(CURLOPT_TIMEOUT_MS, max(transfer.timeout.milliseconds, 1))
        let connect = min(transfer.timeout, settings.connectTimeout)
        try handle.set(CURLOPT_CONNECTTIMEOUT_MS, max(connect.milliseconds, 1))
        try handle.set(CURLOPT_MAXFILESIZE_LARGE, offset: transfer.request.responseLimit)
        try handle.set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText.baseAddress))
    }

    private func setCallbacks(_ transfer: Transfer) throws(HTTPExchangeError) {
        // Unretained: the loop holds the transfer for as long as the handle is in its multi handle.
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        try handle.set(CURLOPT_WRITEDATA, context)
        try handle.set(CURLOPT_HEADERDATA, context)
        try handle.set(CURLOPT_OPENSOCKETDATA, context)
        try handle.set(CURLOPT_PREREQDATA, context)
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_WRITEFUNCTION, receiveBody))
        try handle.check(ccurl_set_write(handle.pointer, CURLOPT_HEADERFUNCTION, receiveHeader))
        try handle.check(ccurl_set_opensocket(handle.pointer, openSocket))
        try handle.check(ccurl_set_prereq(handle.pointer, beforeRequest))
    }

    private func setTrust(_ pool: ConnectionPool.Key) throws(HTTPExchangeError) {
        guard let pem = pool.trustedPEM else { return }
        // The blob stands in for the system's file; the system's folder keeps its authorities trusted as well.
        try handle.set(CURLOPT_CAINFO_BLOB, blob: Array(pem.utf8))
        try handle.set(CURLOPT_CAPATH, "/etc/ssl/certs")
    }
}

extension Duration {
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

private let receiveBody: curl_write_callback = { data, size, count, context in
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(context)?.takeBody(bytes) == true ? bytes.count : 0
}

private let receiveHeader: curl_write_callback = { data, size, count, context in
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(context)?.takeHeader(line) == true ? line.count : 0
}

/// Judges the numeric address behind the name, for every connection and after every look-up.
private let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = transfer(context) else { return CURL_SOCKET_BAD }
    let numeric = withUnsafePointer(to: &address.pointee.addr) { NumericAddress($0) }
    guard let numeric, transfer.mayConnect(to: numeric) else { return CURL_SOCKET_BAD }
    let type = address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}

private let beforeRequest: curl_prereq_callback = { context, address, _, _, _ in
    let numeric = address.flatMap { NumericAddress(String(cString: $0)) }
    return transfer(context)?.maySend(to: numeric) == true ? CInt(CURL_PREREQFUNC_OK) : CInt(CURL_PREREQFUNC_ABORT)
}
