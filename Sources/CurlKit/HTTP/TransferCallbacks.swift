import CCurl
import Glibc

/// The context of every callback is the handle: it owns libcurl's side, so it is alive whenever libcurl calls.
private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.flatMap { Unmanaged<PooledHandle>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.transfer } }
}

let receiveBody: curl_write_callback = { data, size, count, context in
    let bytes = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(context)?.takeBody(bytes) == true ? bytes.count : 0
}

let receiveHeader: curl_write_callback = { data, size, count, context in
    let line = UnsafeRawBufferPointer(start: data, count: size * count)
    return transfer(context)?.takeHeader(line) == true ? line.count : 0
}

/// Judges the numeric address behind the name, for every connection and after every look-up.
let openSocket: curl_opensocket_callback = { context, _, address in
    guard let address, let transfer = transfer(context) else { return CURL_SOCKET_BAD }
    let numeric = withUnsafePointer(to: &address.pointee.addr) { NumericAddress($0) }
    guard let numeric, transfer.mayConnect(to: numeric) else { return CURL_SOCKET_BAD }
    let type = address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
    return socket(address.pointee.family, type, address.pointee.protocol)
}

let beforeRequest: curl_prereq_callback = { context, address, _, _, _ in
    let numeric = address.flatMap { NumericAddress(text: $0) }
    return transfer(context)?.maySend(to: numeric) == true ? CInt(CURL_PREREQFUNC_OK) : CInt(CURL_PREREQFUNC_ABORT)
}
