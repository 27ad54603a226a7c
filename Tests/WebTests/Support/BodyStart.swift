@testable import Web

/// The status that answers the head alone, on a connection that goes on.
func started(_ client: borrowing RawClient, _ request: Request) throws -> Int? {
    client.send(Array(request.bytes.dropLast(request.body.count)))
    return try client.response()?.status
}

/// The same on a connection that ends with it.
func once(_ server: TestServer, _ request: Request) throws -> Int? {
    let client = try RawClient(port: server.listener.port)
    return try started(client, request)
}
