import CCurl
import Glibc
import PinpostCore

/// Owns the request headers as libcurl wants them; the Authorization line is wiped with the list.
struct HeaderList: ~Copyable {
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    deinit {
        var node = list
        while let current = node {
            if let text = current.pointee.data {
                Secret.wipe(UnsafeMutableRawBufferPointer(start: text, count: strlen(text)))
            }
            node = current.pointee.next
        }
        curl_slist_free_all(list)
    }

    /// Throws when a line break or a NUL would make another header of it.
    mutating func add(_ name: String, _ value: String) throws(HTTPExchangeError) {
        let isSafe = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        guard isSafe, value.utf8.allSatisfy({ $0 != 0 && $0 != 10 && $0 != 13 }) else {
            throw HTTPExchangeError(.localFailure, "a header cannot be sent as it is")
        }
        // libcurl leaves out a header that ends with a colon; with a semicolon it sends it empty.
        try append(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }

    /// Takes the default header of libcurl away.
    mutating func remove(_ name: String) throws(HTTPExchangeError) { try append("\(name):") }

    mutating func addAuthorization(_ scheme: String, _ secret: Secret) throws(HTTPExchangeError) {
        let start = Array("Authorization: \(scheme) ".utf8)
        let line = UnsafeMutableRawBufferPointer.allocate(byteCount: start.count + secret.count + 1, alignment: 1)
        defer {
            Secret.wipe(line)
            line.deallocate()
        }
        line.copyBytes(from: start)
        let isSafe = secret.withBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: line[start.count...]).copyMemory(from: bytes)
            return bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        }
        line[line.count - 1] = 0
        guard isSafe, let base = line.baseAddress else {
            throw HTTPExchangeError(.localFailure, "the token contains characters that no header can carry")
        }
        try append(base.assumingMemoryBound(to: CChar.self))
    }

    private mutating func append(_ line: UnsafePointer<CChar>) throws(HTTPExchangeError) {
        guard let longer = curl_slist_append(list, line) else {
            throw HTTPExchangeError(.localFailure, "no memory for a header")
        }
        list = longer
    }
}
