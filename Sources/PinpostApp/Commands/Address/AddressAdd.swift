import Administration

extension Command {
    static let addressAdd = Command(
        "address add", "make a secret mail address for a tenant",
        operands: [SharedFlags.optionalSlug], flags: EntranceRequest.flags,
        notes: "Whoever knows the address can pin; `pinpost address show` shows it again."
    ) { arguments, context in
        let secret = try await context.perform(AddAddress(request: try EntranceRequest(arguments)))
        try context.print(secret) { "\($0.address)\n" }
        context.hint("Mail to this address becomes pins. Its id is \(secret.id).")
        return .done
    }
}

struct AddAddress: AdminAction {
    static let name = "address.add"
    var request: EntranceRequest

    func perform(at desk: AdminDesk, body: any AdminBody) async throws -> AddressSecret {
        try await desk.administration.addAddress(request.entrance)
    }
}
