internal import CMicrohttpd
internal import Glibc

/// The header fields as the library parsed them, in order.
enum HeaderFields {
    static func read(from connection: OpaquePointer) -> [RequestHead.Field] {
        var fields: [RequestHead.Field] = []
        withUnsafeMutablePointer(to: &fields) { fields in
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, addField, fields)
        }
        return fields
    }
}

private func addField(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameCount: Int,
    _ value: UnsafePointer<CChar>?, _ valueCount: Int
) -> MHD_Result {
    guard let fields = context?.assumingMemoryBound(to: [RequestHead.Field].self) else { return .NO }
    fields.pointee.append(RequestHead.Field(text(name, nameCount), text(value, valueCount)))
    return .YES
}

private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
}

extension HTTPAnswer {
    /// Hands the answer to the library; false when it does not take it.
    func queue(on connection: OpaquePointer, closing: Bool) -> Bool {
        let response = body.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
        guard let response else { return false }
        defer { MHD_destroy_response(response) }
        for field in fields where MHD_add_response_header(response, field.name, field.value) != .YES { return false }
        if closing, MHD_add_response_header(response, "Connection", "close") != .YES { return false }
        return MHD_queue_response(connection, UInt32(status), response) == .YES
    }
}

/// The library's view of the listener: C functions that find their Swift object and call it.
extension ListenerCore {
    /// Starts the library's thread; nil when it refuses.
    func startDaemon(on socket: CInt) -> OpaquePointer? {
        var settings = pinpost_mhd_settings()
        settings.listen_socket = socket
        settings.connections = UInt32(limits.connections)
        // Head and read buffer share this memory; a head that does not fit is answered with 431 or 414.
        settings.memory_per_connection = limits.headBytes * 2 + 16 * 1024
        settings.context = Unmanaged.passUnretained(self).toOpaque()
        settings.admit = { context, address, _ in
            context.map { ListenerCore.at($0).admits(PeerAddress(address)) } == true ? .YES : .NO
        }
        settings.connection_changed = { context, connection, place, change in
            guard let context, let connection, let place else { return }
            ListenerCore.at(context).connectionChanged(connection, place: place, isNew: change.rawValue == 0)
        }
        settings.request_line = { context, target, connection in
            guard let context, let target, let connection else { return nil }
            return ListenerCore.at(context).requestLine(String(cString: target), on: connection)
        }
        settings.handle = { _, _, _, method, version, bytes, count, place in
            guard let exchange = place?.pointee, let method, let version, let count else { return .NO }
            return ListenerCore.call(
                Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(), method: method, version: version,
                bytes: bytes, count: count)
        }
        settings.completed = { context, _, place, _ in
            guard let context, let place, let exchange = place.pointee else { return }
            place.pointee = nil
            ListenerCore.at(context).complete(Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
        }
        return pinpost_mhd_start(&settings)
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> ListenerCore {
        Unmanaged<ListenerCore>.fromOpaque(context).takeUnretainedValue()
    }

    private func connectionChanged(
        _ handle: OpaquePointer, place: UnsafeMutablePointer<UnsafeMutableRawPointer?>, isNew: Bool
    ) {
        if isNew {
            let connection = Connection(
                socket: pinpost_mhd_socket(handle), peer: PeerAddress(pinpost_mhd_peer(handle)))
            table.add(connection)
            place.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let connection = place.pointee {
            place.pointee = nil
            table.remove(Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue())
        }
    }

    private func requestLine(_ target: String, on handle: OpaquePointer) -> UnsafeMutableRawPointer? {
        guard let context = pinpost_mhd_socket_context(handle) else { return nil }
        let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
        let exchange = Exchange(self, connection: connection, handle: handle, target: target)
        guard start(exchange) else { return nil }
        return Unmanaged.passRetained(exchange).toOpaque()
    }

    private static func call(
        _ exchange: Exchange, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        bytes: UnsafePointer<CChar>?, count: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        if count.pointee > 0, let bytes {
            // libmicrohttpd 0.9.75 hands over the next chunk of a connection that the last one had suspended. It keeps
            // what is left unread, and comes again after the step.
            if exchange.isWaiting { return .YES }
            let taken = exchange.take(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
            count.pointee = 0
            return taken ? .YES : .NO
        }
        return exchange.proceed(method: String(cString: method), version: String(cString: version)) ? .YES : .NO
    }
}
