import CCurl
import Glibc
import PinpostCore

/// What libcurl is told for one transfer: headers and body, freed together.
final class TransferSetup {
    let handle: PooledHandle
    let pool: ConnectionPool
    /// None: those of the pool alone.
    private let headers: HeaderList
    private let body: MultipartBody?
    private let isPlain: Bool

    init(
        _ transfer: Transfer, on handle: PooledHandle, of pool: ConnectionPool, connectTimeout: Duration
    ) throws(HTTPExchangeError) {
        self.handle = handle
        self.pool = pool
        headers = try Self.headers(of: transfer.request, beside: handle.defaults.headers)
        switch transfer.request.body {
        case .none:
            body = nil
            isPlain = transfer.request.method == "GET" && transfer.request.authorization == nil
        case .bytes:
            body = nil
            isPlain = false
        case .multipart(let parts):
            body = try MultipartBody(parts, sources: transfer.sources, for: handle.easy.pointer)
            isPlain = false
        }
        try configure(handle.easy, for: transfer, connectTimeout: connectTimeout)
    }

    deinit { handle.release(isPlain: isPlain) }

    private static func headers(
        of request: HTTPRequest, beside defaults: [(name: String, value: String)]
    ) throws(HTTPExchangeError) -> HeaderList {
        var list = HeaderList()
        var own = request.headers
        if case .bytes(_, let contentType) = request.body { own.append(("Content-Type", contentType)) }
        if own.isEmpty, request.authorization == nil { return list }
        let names = own.map { $0.name.lowercased() }
        for (name, value) in defaults where !names.contains(name.lowercased()) { try list.add(name, value) }
        for (name, value) in own { try list.add(name, value) }
        if let (scheme, secret) = request.authorization { try list.addAuthorization(scheme, secret) }
        return list
    }

    private func configure(
        _ easy: EasyHandle, for transfer: Transfer, connectTimeout: Duration
    ) throws(HTTPExchangeError) {
        try handle.lend(to: transfer)
        // Already parsed; as text once more, for when a kept connection turns out to be dead.
        try easy.set(CURLOPT_CURLU, UnsafeMutableRawPointer(transfer.url.handle.pointer))
        try easy.set(CURLOPT_URL, transfer.url.text)
        if let list = headers.list { try easy.set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(list)) }
        if !isPlain { try setMethodAndBody(transfer.request, on: easy) }
        try easy.set(CURLOPT_TIMEOUT_MS, max(transfer.timeout.milliseconds, 1))
        let connect = min(transfer.timeout, connectTimeout)
        try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(connect.milliseconds, 1))
        try easy.set(CURLOPT_MAXFILESIZE_LARGE, offset: transfer.request.responseLimit)
    }

    private func setMethodAndBody(_ request: HTTPRequest, on easy: EasyHandle) throws(HTTPExchangeError) {
        switch request.body {
        case .none:
            if request.method == "HEAD" { try easy.set(CURLOPT_NOBODY, 1) }
            if request.method == "POST" {
                try easy.set(CURLOPT_POST, 1)
                try easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: 0)
            }
        case .bytes(let bytes, _):
            try easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
            let code = bytes.withUnsafeBytes { bytes in
                ccurl_set_pointer(
                    easy.pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
            try easy.check(code)
        case .multipart:
            try easy.set(CURLOPT_MIMEPOST, UnsafeMutableRawPointer(body?.mime))
        }
        guard request.method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            throw HTTPExchangeError(.localFailure, "the method is not a word of capitals")
        }
        if request.method != "HEAD" { try easy.set(CURLOPT_CUSTOMREQUEST, request.method) }
        // On a reused connection that breaks without an answer libcurl sends the request once more, whatever it is.
        // What must not happen twice therefore gets a connection of its own.
        if !["GET", "HEAD", "OPTIONS"].contains(request.method) { try easy.set(CURLOPT_FRESH_CONNECT, 1) }
    }
}

extension Duration {
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
