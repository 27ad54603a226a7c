internal import PinpostCore

extension Server {
    static let columns =
        "servers.id, base_url, dialect, allows_private, ca_pem, max_in_flight, newest_pin, max_upload_bytes"

    init(_ row: inout Row) throws(StoreError) {
        self.init(
            id: row.id(), baseURL: row.text(), dialect: try row.choice(), allowsPrivateNetwork: row.flag(),
            caPEM: row.optional { $0.text() }, maxInFlight: row.int(), newestPin: PinID(row.integer()),
            uploadLimit: row.optional { $0.int() })
    }
}
